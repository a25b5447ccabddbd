import { Form, Link } from 'react-router';
import { MAX_SEARCH_LENGTH, search, SEARCH_GROUPS, type SearchResult } from '@officium/contract/search';
import type { ReplyOf } from '@officium/contract/endpoint';
import { load } from '../../api.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Time } from '../../ui/time.tsx';
import type { Route } from './+types/search.page';

type Group = (typeof SEARCH_GROUPS)[number];
type Found = ReplyOf<typeof search>['groups'][number];

const PAGE_SIZE = 20;
/** Beyond these nobody looks; another word finds it sooner. */
const LAST_PAGE = 45;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, url } = await load(request, context);
  const q = [...(url.searchParams.get('q') ?? '').trim()].slice(0, MAX_SEARCH_LENGTH).join('');
  const group = SEARCH_GROUPS.find((name) => name === url.searchParams.get('group'));
  const wanted = Math.trunc(Number(url.searchParams.get('page')) || 1);
  const page = group ? Math.min(Math.max(wanted, 1), LAST_PAGE) : 1;
  if (q === '') return { q, group, page, groups: [] };
  const paged = group ? { group, limit: String(PAGE_SIZE), offset: String((page - 1) * PAGE_SIZE) } : {};
  const { groups } = await api(search, { query: { q, ...paged } });
  return { q, group, page, groups };
}

export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { q, group, page, groups } = loaderData;
  const { t } = useText();
  const found = groups.filter(({ results }) => results.length > 0);
  const [only] = found;
  const title = q ? t('search.results_for', { query: q }) : t('search.title');
  return (
    <div className="page py-10 md:py-14">
      <Head title={title} description={t('search.intro')} isPrivate />
      <h1 className="text-4xl md:text-5xl">{q ? <bdi>{title}</bdi> : title}</h1>
      {q ? null : <p className="mt-3 max-w-2xl text-lg text-muted">{t('search.intro')}</p>}
      <Form key={q} role="search" aria-label={t('search.title')} className="mt-6 flex max-w-2xl items-end gap-3">
        <Field
          name="q"
          id="search-q"
          type="search"
          label={t('search.label')}
          defaultValue={q}
          maxLength={MAX_SEARCH_LENGTH}
          hideOptional
          required
          className="grow"
        />
        {group ? <input type="hidden" name="group" value={group} /> : null}
        <Button>{t('search.submit')}</Button>
      </Form>
      {q ? (
        <div className="mt-8">
          <Tabs
            label={t('search.groups')}
            tabs={[undefined, ...SEARCH_GROUPS].map((name) => ({
              to: addressOf(q, name),
              label: name ? t(`search.${name}`) : t('search.all'),
              isCurrent: name === group,
            }))}
          />
        </div>
      ) : null}
      {q && found.length === 0 ? (
        <div className="mt-8">
          <EmptyState title={<bdi>{t('search.none_title', { query: q })}</bdi>}>{t('search.none_text')}</EmptyState>
        </div>
      ) : null}
      {group
        ? only && <Results results={only.results} />
        : found.map((one) => <Section key={one.group} q={q} found={one} />)}
      <Pagination
        page={page}
        previous={page > 1 ? addressOf(q, group, page - 1) : undefined}
        next={group && only?.more && page < LAST_PAGE ? addressOf(q, group, page + 1) : undefined}
      />
    </div>
  );
}

function addressOf(q: string, group?: Group, page = 1): string {
  const query = new URLSearchParams({ q });
  if (group) query.set('group', group);
  if (page > 1) query.set('page', String(page));
  return `/search?${query}`;
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
        <p className="mt-4">
          <Link to={addressOf(q, group)} className="link">
            {t('search.more', { group: t(`search.${group}`) })}
          </Link>
        </p>
      ) : null}
    </section>
  );
}

function Results({ results, level = 2 }: { results: SearchResult[]; level?: 2 | 3 }) {
  return (
    <ul className="mt-3 max-w-3xl divide-y divide-line">
      {results.map((result) => (
        <li key={`${result.kind} ${result.id}`} className="py-5">
          <Result result={result} level={level} />
        </li>
      ))}
    </ul>
  );
}

function Result({ result, level }: { result: SearchResult; level: 2 | 3 }) {
  const { t, rich } = useText();
  const { kind, title, excerpt, locale, place, author, createdAt } = result;
  const Heading = level === 2 ? 'h2' : 'h3';
  const lang = locale ?? undefined;
  return (
    <article>
      <p className="eyebrow">{kind === 'microcourse' ? t('learning.microcourse') : t(`search.kind_${kind}`)}</p>
      <Heading lang={lang} dir="auto" className="mt-1 text-xl">
        <Link to={result.path} className="title-link">
          {title.length > 0 ? <Pieces pieces={title} /> : t('search.untitled')}
        </Link>
      </Heading>
      {excerpt.length > 0 ? (
        <p lang={lang} dir="auto" className="mt-1 line-clamp-3 text-muted">
          <Pieces pieces={excerpt} />
        </p>
      ) : null}
      {place || author || createdAt ? (
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
      ) : null}
    </article>
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
