import type { LinkedCard, LinkedItem } from '@officium/contract/editorials';
import { useText } from '../../text.tsx';
import { Card, Row, RowList } from '../../ui/card.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Duration } from '../../ui/duration.tsx';
import { askedOf, type Block } from './blocks.ts';
import { Faq } from './faq.tsx';

/** The kind of thing a card leads to. */
function useKind(): (kind: LinkedCard['kind']) => string {
  const { t } = useText();
  return (kind) => {
    switch (kind) {
      case 'microcourse':
        return t('learning.microcourse');
      case 'question':
      case 'solution':
      case 'hub':
        return t(`hub.kind_${kind}`);
      case 'event':
        return t('events.kind');
      case 'carousel':
      case 'picture':
        return '';
      default:
        return t(`search.kind_${kind}`);
    }
  };
}

function useHeading(): (kind: LinkedCard['kind']) => string {
  const { t } = useText();
  return (kind) => {
    switch (kind) {
      case 'course':
        return t('common.courses');
      case 'lesson':
        return t('search.learning');
      case 'microcourse':
        return t('learning.microcourses');
      case 'academy':
        return t('learning.academies');
      case 'community':
        return t('common.communities');
      case 'article':
        return t('common.articles');
      case 'solution':
        return t('hub.solutions');
      case 'hub':
        return t('hub.hubs');
      case 'question':
        return t('hub.faq');
      case 'event':
        return t('events.title');
      case 'carousel':
      case 'picture':
        return '';
    }
  };
}

/** A seed for the drawn cover: the last part of its path. */
const seedOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

export function LinkedCards({ cards, isRow = false }: { cards: readonly LinkedCard[]; isRow?: boolean }) {
  const { locale } = useText();
  const kindOf = useKind();
  return cards.flatMap((card) =>
    card.path === null ? (
      []
    ) : (
      <li key={card.path} className={isRow ? 'w-60 shrink-0 snap-start sm:w-80' : undefined}>
        <Card
          to={card.path}
          title={card.title}
          kicker={kindOf(card.kind)}
          lang={card.shownLocale === locale ? undefined : card.shownLocale}
          cover={<Cover slug={seedOf(card.path)} src={card.cover?.url} alt={card.cover?.alt} />}
          meta={card.minutes === null ? undefined : <Duration minutes={card.minutes} />}
        >
          <span className="line-clamp-3">{card.summary}</span>
        </Card>
      </li>
    ),
  );
}

/** The same as lines, below a text. */
export function LinkedRows({ cards }: { cards: readonly LinkedCard[] }) {
  const { locale } = useText();
  const kindOf = useKind();
  return (
    <RowList>
      {cards.flatMap((card) =>
        card.path === null ? (
          []
        ) : (
          <Row
            key={card.path}
            to={card.path}
            title={card.title}
            kicker={kindOf(card.kind)}
            lang={card.shownLocale === locale ? undefined : card.shownLocale}
          >
            {card.kind === 'question' ? null : card.summary}
          </Row>
        ),
      )}
    </RowList>
  );
}

/** A part of a hub: a carousel, a picture, questions with their answers, or cards of one kind. */
export function HubBlock({ block: { id, kind, items } }: { block: Block }) {
  const headingOf = useHeading();
  const { locale } = useText();
  const [first] = items;
  if (!first) return null;
  if (kind === 'picture') return <HubPicture item={first} />;
  const isCarousel = kind === 'carousel';
  const lang = isCarousel && first.shownLocale !== locale ? first.shownLocale : undefined;
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-3xl" lang={lang} dir={lang ? 'auto' : undefined}>
        {isCarousel ? first.title : headingOf(kind)}
      </h2>
      {isCarousel && first.summary ? (
        <p className="mt-1 max-w-2xl text-muted" lang={lang} dir={lang ? 'auto' : undefined}>
          {first.summary}
        </p>
      ) : null}
      <div className="mt-6">
        {isCarousel ? (
          <Carousel labelledBy={id} cards={first.items} />
        ) : kind === 'question' ? (
          <Faq questions={askedOf(items)} />
        ) : (
          <ul className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
            <LinkedCards cards={items} />
          </ul>
        )}
      </div>
    </section>
  );
}

/** A row that is scrolled by touch, wheel or, once it is focused, by the arrow keys. */
function Carousel({ labelledBy, cards }: { labelledBy: string; cards: readonly LinkedCard[] }) {
  return (
    // Scrollable content must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div role="group" aria-labelledby={labelledBy} tabIndex={0} className="-mx-1 overflow-x-auto px-1 pb-3">
      <ul className="flex snap-x gap-6">
        <LinkedCards cards={cards} isRow />
      </ul>
    </div>
  );
}

function HubPicture({ item }: { item: LinkedItem }) {
  const { locale } = useText();
  const lang = item.shownLocale === locale ? undefined : item.shownLocale;
  if (!item.cover) return null;
  return (
    <figure>
      <img
        src={item.cover.url}
        alt={item.cover.alt}
        loading="lazy"
        className="max-h-[32rem] w-full rounded border border-line object-cover"
      />
      {item.summary ? (
        <figcaption className="mt-2 text-sm text-muted" lang={lang} dir={lang ? 'auto' : undefined}>
          {item.summary}
        </figcaption>
      ) : null}
    </figure>
  );
}
