import { useEffect, useRef } from 'react';
import { Form, Link } from 'react-router';
import { search, type SEARCH_GROUPS, type SearchResult } from '@officium/contract/search';
import type { ReplyOf } from '@officium/contract/endpoint';
import { endonymOf } from '@officium/i18n/locales';
import { load } from '../../api.ts';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/search.page';
import { NothingFound } from './nothing-found.tsx';
import { addressOf, isTooShort, MAX_LENGTH } from './query.ts';

type Group = (typeof SEARCH_GROUPS)[number];
type Found = ReplyOf<typeof search>['groups'][number];

// Not those of the contract themselves: with them the browser would get all that checks a request.
const GROUPS = Object.keys({
  learning: true,
  communities: true,
  posts: true,
  articles: true,
  people: true,
} satisfies Record<Group, true>) as Group[]; // the keys are Group by construction

const PAGE_SIZE = 20;
/** Beyond these nobody looks; another word finds it sooner. */
const LAST_PAGE = 45;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, viewer, url } = await load(request, context);
  const q = [...(url.searchParams.get('q') ?? '').trim()].slice(0, MAX_LENGTH).join('');
  const group = GROUPS.find((name) => name === url.searchParams.get('group'));
  const wanted = Math.trunc(Number(url.searchParams.get('page')) || 1);
  const page = group ? Math.min(Math.max(wanted, 1), LAST_PAGE) : 1;
  const asked = { q, group, page, isSignedIn: viewer !== null, isShort: isTooShort(q) };
  if (q === '' || asked.isShort) return { ...asked, groups: [], isNearly: false };
  const paged = group ? { group, limit: String(PAGE_SIZE), offset: String((page - 1) * PAGE_SIZE) } : {};
  return { ...asked, ...(await api(search, { query: { q, ...paged } })) };
}

export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { q, group, page, groups, isShort, isNearly } = loaderData;
  const { t } = useText();
  const found = groups.filter(({ results }) => results.length > 0);
  const [only] = found;
  const title = q && !isShort ? t('search.results_for', { query: q }) : t('search.title');
  useSaid(`${title} ${group ? t(`search.${group}`) : ''} ${page > 1 ? t('common.current_page', { page }) : ''}`);
  return (
    <div className="page py-10 md:py-14">
      <Head title={title} description={t('search.intro')} isPrivate />
      <h1 className="text-4xl md:text-5xl">
        <bdi>{title}</bdi>
      </h1>
      {q ? null : <p className="mt-3 max-w-2xl text-lg text-muted">{t('search.intro')}</p>}
      <Form key={q} role="search" aria-label={t('search.label')} className="mt-6 flex max-w-2xl items-end gap-3">
        <Field
          name="q"
          id="search-q"
          type="search"
          label={t('search.label')}
          error={isShort ? t('search.short') : undefined}
          defaultValue={q}
          maxLength={MAX_LENGTH}
          dir="auto"
          hideOptional
          required
          className="min-w-0 grow"
        />
        {group ? <input type="hidden" name="group" value={group} /> : null}
        <Button>{t('search.submit')}</Button>
      </Form>
      {q && !isShort ? (
        <>
          <div className="mt-8">
            <Tabs
              label={t('search.groups')}
              tabs={[undefined, ...GROUPS].map((name) => ({
                to: addressOf({ q, group: name }),
                label: name ? t(`search.${name}`) : t('search.all'),
                isCurrent: name === group,
              }))}
            />
          </div>
          {found.length === 0 ? <NothingFound {...loaderData} /> : null}
          {isNearly ? (
            <div className="mt-6 max-w-3xl">
              <Notice>{t('search.nearly')}</Notice>
            </div>
          ) : null}
        </>
      ) : null}
      {group
        ? only && <Results results={only.results} />
        : found.map((one) => <Section key={one.group} q={q} found={one} />)}
      <Pagination
        page={page}
        previous={page > 1 ? addressOf({ q, group, page: page - 1 }) : undefined}
        next={group && only?.more && page < LAST_PAGE ? addressOf({ q, group, page: page + 1 }) : undefined}
      />
    </div>
  );
}

/** Another search stays at the same address but for its query: nothing else would tell that the page has changed. */
function useSaid(sentence: string): void {
  const last = useRef(sentence);
  useEffect(() => {
    if (last.current === sentence) return;
    last.current = sentence;
    announce(sentence);
  }, [sentence]);
}

function Section({ q, found: { group, results, more } }: { q: string; found: Found }) {
  const { t } = useText();
  const id = `found-${group}`;
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="text-2xl">
        {t(`search.${group}`)}
      </h2>
      <Results results={results} level={3} />
      {more ? (
        <p className="mt-2">
          <Link to={addressOf({ q, group })} className="link inline-block py-2">
            {t('search.more', { group: t(`search.${group}`) })}
          </Link>
        </p>
      ) : null}
    </section>
  );
}

function Results({ results, level = 2 }: { results: SearchResult[]; level?: 2 | 3 }) {
  return (
    <ul className="mt-2 max-w-3xl divide-y divide-line">
      {results.map((result) => (
        <li key={`${result.kind} ${result.id}`} className="py-5">
          <Result result={result} level={level} />
        </li>
      ))}
    </ul>
  );
}

function Result({ result, level }: { result: SearchResult; level: 2 | 3 }) {
  const { t, locale: own } = useText();
  const { kind, title, excerpt, locale, path } = result;
  const Heading = level === 2 ? 'h2' : 'h3';
  const lang = locale ?? undefined;
  return (
    <article>
      <p className="eyebrow">
        {kind === 'microcourse' ? t('learning.microcourse') : t(`search.kind_${kind}`)}
        {locale && locale !== own ? (
          <>
            {' · '}
            <span lang={locale}>{endonymOf(locale)}</span>
          </>
        ) : null}
      </p>
      <Heading lang={lang} dir="auto" className="mt-1 text-xl">
        <Link to={path} className="title-link">
          {title.length > 0 ? <Pieces pieces={title} /> : t('search.untitled')}
        </Link>
      </Heading>
      {excerpt.length > 0 ? (
        <p lang={lang} dir="auto" className="mt-1 line-clamp-3 text-muted">
          <Pieces pieces={excerpt} />
        </p>
      ) : null}
      <Origin result={result} />
    </article>
  );
}

/** Who wrote it, where, and when. */
function Origin({ result: { place, author, createdAt } }: { result: SearchResult }) {
  const { rich } = useText();
  if (!place && !author && !createdAt) return null;
  return (
    <p className="mt-2 flex flex-wrap gap-x-4 text-sm text-muted">
      {author ? <bdi>{author.name}</bdi> : null}
      {place ? (
        <span>
          {rich('search.in', {
            place: (
              <Link to={place.path} className="link">
                <bdi>{place.title}</bdi>
              </Link>
            ),
          })}
        </span>
      ) : null}
      {createdAt ? <Time value={createdAt} look="date" /> : null}
    </p>
  );
}

function Pieces({ pieces }: { pieces: SearchResult['title'] }) {
  return pieces.map(({ text, isMatch }, index) =>
    isMatch ? (
      <mark key={index} className="bg-transparent font-semibold text-ink underline decoration-marigold decoration-2">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
