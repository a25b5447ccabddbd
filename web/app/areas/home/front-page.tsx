import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Words } from '../../root-data.ts';
import { useSiteName } from '../../site.ts';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Card, Row, RowList } from '../../ui/card.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Icon } from '../../ui/icon.tsx';
import { CourseCards } from './course-cards.tsx';
import type { Front } from './front.ts';

/** The site's own words on the front page. */
export type FrontWords = { headline: Words | null; lead: Words | null };

/** The front page for visitors: what the site is, what it offers, how to join. */
export function FrontPage({ front, words }: { front: Front; words: FrontWords }) {
  return (
    <>
      <Hero words={words} />
      <Ways />
      {front.courses.length ? <Courses courses={front.courses} /> : null}
      {front.hubs.length ? <Hubs hubs={front.hubs} /> : null}
      {front.communities.length || front.article ? (
        <div className="page grid gap-12 py-12 md:grid-cols-2 md:py-16">
          {front.communities.length ? <Communities communities={front.communities} /> : null}
          {front.article ? <Article article={front.article} /> : null}
        </div>
      ) : null}
      <Closing />
    </>
  );
}

function Hero({ words: { headline, lead } }: { words: FrontWords }) {
  const { t, locale } = useText();
  const langOf = (own: Words | null) => (own && own.lang !== locale ? own.lang : undefined);
  return (
    <section className="overflow-hidden border-b border-line">
      <div className="page grid items-center gap-10 py-12 md:grid-cols-[1.15fr_1fr] md:py-20">
        <div>
          <p className="eyebrow">{t('home.eyebrow')}</p>
          <h1
            className="mt-3 text-4xl sm:text-5xl lg:text-6xl"
            lang={langOf(headline)}
            dir={headline ? 'auto' : undefined}
          >
            {headline?.text ?? t('home.title')}
          </h1>
          <p
            className="mt-5 max-w-xl text-lg text-muted md:text-xl md:leading-relaxed"
            lang={langOf(lead)}
            dir={lead ? 'auto' : undefined}
          >
            {lead?.text ?? t('home.lead')}
          </p>
          <div className="mt-8 flex flex-wrap gap-3">
            <LinkButton to="/signup">{t('common.sign_up')}</LinkButton>
            <LinkButton to="/courses" look="secondary">
              {t('home.courses_all')}
            </LinkButton>
          </div>
        </div>
        <Colonnade />
      </div>
    </section>
  );
}

/** Illustration based on the logo: the arches of a public hall, one of them open to the light. */
function Colonnade() {
  return (
    <svg viewBox="0 0 480 400" aria-hidden="true" className="mx-auto w-full max-w-md md:max-w-none">
      <path className="fill-accent-soft" d="M0 400V160a120 120 0 0 1 240 0v240z" />
      <path className="fill-brand" d="M240 400V160a120 120 0 0 1 240 0v240z" />
      <path
        className="fill-[#ffc53d]"
        d="M240 240a80 80 0 0 1-160 0 80 80 0 0 1 160 0z"
        transform="translate(-40 -60)"
      />
      <path className="fill-band" d="M40 400V300a80 80 0 0 1 160 0v100z" />
      <path className="fill-[#8fc7bf]" d="M280 400V220a80 80 0 0 1 160 0v180z" />
      <path className="fill-[#fbfaf7]" d="M320 400V280a40 40 0 0 1 80 0v120z" />
      <path className="fill-[#e9dfc8]" d="M80 400v-60a40 40 0 0 1 80 0v60z" />
      <circle cx="360" cy="90" r="22" className="fill-[#ffc53d]" />
      <path className="fill-[#b5532f]" d="M200 400a40 40 0 0 1 80 0z" />
    </svg>
  );
}

function Ways() {
  const { t } = useText();
  const site = useSiteName();
  const ways = [
    ['home.way_learn_title', 'home.way_learn_text'],
    ['home.way_ask_title', 'home.way_ask_text'],
    ['home.way_proof_title', 'home.way_proof_text'],
  ] as const;
  return (
    <section className="page grid gap-x-10 gap-y-8 py-12 md:grid-cols-3 md:py-16">
      {ways.map(([title, text]) => (
        <div key={title} className="border-t-2 border-ink pt-4">
          <h2 className="text-2xl">{t(title)}</h2>
          <p className="mt-2 text-muted">{t(text, { site })}</p>
        </div>
      ))}
    </section>
  );
}

function Courses({ courses }: Pick<Front, 'courses'>) {
  const { t } = useText();
  return (
    <section className="border-y border-line bg-sunk py-12 md:py-16" aria-labelledby="front-courses">
      <div className="page">
        <Heading id="front-courses" to="/courses" more={t('home.courses_all')}>
          {t('home.courses')}
        </Heading>
        <CourseCards courses={courses} />
      </div>
    </section>
  );
}

function Hubs({ hubs }: Pick<Front, 'hubs'>) {
  const { t, locale } = useText();
  return (
    <section aria-labelledby="front-hubs" className="page pt-12 md:pt-16">
      <Heading id="front-hubs" to="/hubs" more={t('hub.hubs_all')}>
        {t('hub.hubs')}
      </Heading>
      <RowList>
        {hubs.map((hub) => (
          <Row
            key={hub.slug}
            to={`/hubs/${hub.slug}`}
            title={hub.title}
            lang={hub.lang === locale ? undefined : hub.lang}
            lead={
              <div className="size-16 shrink-0 overflow-hidden rounded">
                <Cover slug={hub.slug} />
              </div>
            }
          >
            {hub.summary}
          </Row>
        ))}
      </RowList>
    </section>
  );
}

function Communities({ communities }: Pick<Front, 'communities'>) {
  const { t } = useText();
  return (
    <section aria-labelledby="front-communities">
      <Heading id="front-communities" to="/communities" more={t('home.communities_all')}>
        {t('home.communities')}
      </Heading>
      <RowList>
        {communities.map((community) => (
          <Row
            key={community.slug}
            to={`/communities/${community.slug}`}
            title={community.title}
            lang={community.lang}
            lead={
              <div className="size-16 shrink-0 overflow-hidden rounded">
                <Cover slug={community.slug} src={community.cover} />
              </div>
            }
            meta={
              <>
                <span>{t('home.members', { count: community.members })}</span>
                <span>{t('home.posts', { count: community.posts })}</span>
              </>
            }
          >
            {community.purpose}
          </Row>
        ))}
      </RowList>
    </section>
  );
}

function Article({ article }: { article: NonNullable<Front['article']> }) {
  const { t, rich } = useText();
  return (
    <section aria-labelledby="front-article">
      <Heading id="front-article">{t('home.article')}</Heading>
      <div>
        <Card
          to={`/articles/${article.slug}`}
          title={article.title}
          lang={article.lang}
          cover={<Cover slug={article.slug} src={article.cover} />}
          meta={<span>{rich('home.article_by', { name: <bdi>{article.author}</bdi> })}</span>}
        >
          {article.subtitle}
        </Card>
      </div>
    </section>
  );
}

type HeadingProps = { id: string; to?: string; more?: string; children: ReactNode };

function Heading({ id, to, more, children }: HeadingProps) {
  return (
    <div className="mb-6 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
      <h2 id={id} className="text-3xl">
        {children}
      </h2>
      {to ? (
        <Link to={to} className="link inline-flex items-center gap-1 py-1.5">
          {more}
          <Icon as={ArrowRight} size={16} directional />
        </Link>
      ) : null}
    </div>
  );
}

function Closing() {
  const { t } = useText();
  return (
    <section className="bg-band text-on-band">
      <div className="page flex flex-wrap items-center justify-between gap-6 py-12 md:py-16">
        <div>
          <h2 className="text-3xl md:text-4xl">{t('home.closing_title')}</h2>
          <p className="mt-2 text-lg">{t('home.closing_text')}</p>
        </div>
        <LinkButton to="/signup" look="marigold">
          {t('common.sign_up')}
        </LinkButton>
      </div>
    </section>
  );
}
