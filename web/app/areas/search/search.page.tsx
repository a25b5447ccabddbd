import { useEffect, useRef } from 'react';
import { Form, Link } from 'react-router';
import { listCommunities } from '@officium/contract/community';
import { search, type SEARCH_GROUPS, type SearchResult } from '@officium/contract/search';
import type { ReplyOf } from '@officium/contract/endpoint';
import { endonymOf } from '@officium/i18n/locales';
import { load } from '../../server/api.ts';
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
import { ActiveFilters, type Choices, FilterFields } from './filters.tsx';
import { NothingFound } from './nothing-found.tsx';
import { addressOf, filtersOf, type Filters, isTooShort, MAX_LENGTH } from './query.ts';

type Group = (typeof SEARCH_GROUPS)[number];
type Found = ReplyOf<typeof search>['groups'][number];

// Copied: importing the contract's list would bring its validation into the browser.
const GROUPS = Object.keys({
  learning: true,
  communities: true,
  posts: true,
  articles: true,
  people: true,
} satisfies Record<Group, true>) as Group[]; // the keys are Group by construction

const PAGE_SIZE = 20;
/** Nobody pages further; another query is quicker. */
const LAST_PAGE = 45;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, attempt, viewer, url } = await load(request, context);
  const q = [...(url.searchParams.get('q') ?? '').trim()].slice(0, MAX_LENGTH).join('');
  const group = GROUPS.find((name) => name === url.searchParams.get('group'));
  const wanted = Math.trunc(Number(url.searchParams.get('page')) || 1);
  const page = group ? Math.min(Math.max(wanted, 1), LAST_PAGE) : 1;
  const filters = filtersOf(url.searchParams);
  const asked = { q, group, filters, page, isSignedIn: viewer !== null, isShort: isTooShort(q) };
  if (q === '' || asked.isShort)
    return { ...asked, groups: [], isNearly: false, choices: choicesOf({ filters, viewer, found: [], own: [] }) };
  const paged = group ? { group, limit: String(PAGE_SIZE), offset: String((page - 1) * PAGE_SIZE) } : {};
  const [results, mine] = await Promise.all([
    api(search, { query: { q, ...filters, ...paged } }),
    viewer && !viewer.limited ? attempt(listCommunities, { query: { show: 'mine', limit: '100' } }) : undefined,
  ]);
  const found = results.groups.flatMap((one) => one.results);
  const own = mine?.ok ? mine.body.communities : [];
  return { ...asked, ...results, choices: choicesOf({ filters, viewer, found, own }) };
}

type Known = {
  filters: Filters;
  viewer: { id: string; name: string } | null;
  found: SearchResult[];
  own: { slug: string; title: string }[];
};

const COMMUNITY_PATH = '/communities/';

/** The communities and authors to choose from: those of the results, the viewer's own, and what is chosen already. */
function choicesOf({ filters, viewer, found, own }: Known): Choices {
  const communities = new Map(own.map(({ slug, title }) => [slug, title]));
  const authors = new Map<string, string>(viewer ? [[viewer.id, viewer.name]] : []);
  for (const { place, author } of found) {
    if (place?.path.startsWith(COMMUNITY_PATH)) communities.set(place.path.slice(COMMUNITY_PATH.length), place.title);
    if (author) authors.set(author.id, author.name);
  }
  if (filters.community && !communities.has(filters.community)) communities.set(filters.community, filters.community);
  // A person who wrote nothing that is shown stays nameless.
  if (filters.author && !authors.has(filters.author)) authors.set(filters.author, '');
  const options = (known: Map<string, string>) => [...known].map(([value, label]) => ({ value, label }));
  return { communities: options(communities), authors: options(authors) };
}

type Asked = Pick<Route.ComponentProps['loaderData'], 'q' | 'group' | 'filters' | 'choices' | 'isShort'>;

function SearchForm({ q, group, filters, choices, isShort }: Asked) {
  const { t } = useText();
  return (
    <Form key={JSON.stringify([q, filters])} role="search" aria-label={t('search.label')} className="mt-6 max-w-3xl">
      <div className="flex max-w-2xl items-end gap-3">
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
      </div>
      <FilterFields filters={filters} choices={choices} />
    </Form>
  );
}

export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { q, group, filters, choices, page, groups, isShort, isNearly } = loaderData;
  const { t } = useText();
  const found = groups.filter(({ results }) => results.length > 0);
  const [only] = found;
  const title = q && !isShort ? t('search.results_for', { query: q }) : t('search.title');
  useAnnouncement(
    `${title} ${group ? t(nameOf(group)) : ''} ${page > 1 ? t('common.current_page', { page }) : ''}`,
    JSON.stringify(filters),
  );
  return (
    <div className="page py-10 md:py-14">
      <Head title={title} description={t('search.intro')} isPrivate />
      <h1 className="text-4xl md:text-5xl">
        <bdi>{title}</bdi>
      </h1>
      {q ? null : <p className="mt-3 max-w-2xl text-lg text-muted">{t('search.intro')}</p>}
      <SearchForm {...loaderData} />
      {q ? <ActiveFilters asked={{ q, group }} filters={filters} choices={choices} /> : null}
      {q && !isShort ? (
        <>
          <div className="mt-8">
            <Tabs
              label={t('search.groups')}
              tabs={[undefined, ...GROUPS].map((name) => ({
                to: addressOf({ q, group: name, filters }),
                label: name ? t(nameOf(name)) : t('search.all'),
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
        : found.map((one) => <Section key={one.group} q={q} filters={filters} found={one} />)}
      <Pagination
        page={page}
        previous={page > 1 ? addressOf({ q, group, filters, page: page - 1 }) : undefined}
        next={group && only?.more && page < LAST_PAGE ? addressOf({ q, group, filters, page: page + 1 }) : undefined}
      />
    </div>
  );
}

/** The heading of a group. Questions and hubs are found among courses and lessons. */
const nameOf = (group: Group) => (group === 'learning' ? 'common.learn' : (`search.${group}` as const));

/** Announces the result: a new search changes only the query, which screen readers do not notice. */
function useAnnouncement(sentence: string, filters: string): void {
  const all = sentence + filters;
  const last = useRef(all);
  useEffect(() => {
    if (last.current === all) return;
    last.current = all;
    announce(sentence);
  }, [sentence, all]);
}

type SectionProps = { q: string; filters: Filters; found: Found };

function Section({ q, filters, found: { group, results, more } }: SectionProps) {
  const { t } = useText();
  const id = `found-${group}`;
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="text-2xl">
        {t(nameOf(group))}
      </h2>
      <Results results={results} level={3} />
      {more ? (
        <p className="mt-2">
          <Link to={addressOf({ q, group, filters })} className="link inline-block py-2">
            {t('search.more', { group: t(nameOf(group)) })}
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
        {kind === 'microcourse'
          ? t('learning.microcourse')
          : kind === 'event'
            ? t('events.kind')
            : kind === 'question' || kind === 'solution' || kind === 'hub'
              ? t(`hub.kind_${kind}`)
              : t(`search.kind_${kind}`)}
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

/** Author, community and time. */
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
