import type { Locale } from '@officium/contract/common';
import { GROUP_SIZE, SEARCH_GROUPS, type SEARCH_PERIODS, type SearchResult } from '@officium/contract/search';
import { chainOf, LOCALES } from '@officium/i18n/locales';
import { isActive, isLockedOut, type Viewer } from '#server/access/viewer.ts';
import { readableCommunities } from '#server/areas/community/members/community.service.ts';
import { seenEditorials } from '#server/areas/catalogue/editorial.service.ts';
import { visibleCatalogue } from '#server/areas/catalogue/catalogue.service.ts';
import { readableJourneys } from '#server/areas/learner/enrolment.service.ts';
import { findPeople as findInDirectory } from '#server/areas/people/user.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { firstWords, quoteRuns, singleNots } from './search.policy.ts';
import { findDetails } from './detail.repository.ts';
import type { DocumentKind } from './document.rows.ts';
import {
  findDocuments,
  type Filters,
  type GroupPage,
  isWritten,
  parseWords,
  type Readable,
  withSimilarity,
} from './search.repository.ts';
import { toPersonResult, toResult } from './search.view.ts';

type Group = (typeof SEARCH_GROUPS)[number];
export type GroupResults = { group: Group; results: SearchResult[]; more: boolean };

const KINDS: Record<Exclude<Group, 'people'>, DocumentKind[]> = {
  learning: ['course', 'lesson', 'microcourse', 'academy', 'hub', 'event', 'question', 'solution'],
  communities: ['community'],
  posts: ['post', 'reply', 'discussion'],
  articles: ['article'],
};

const PERIOD_DAYS: Record<(typeof SEARCH_PERIODS)[number], number> = { week: 7, month: 30, year: 365 };

/** Filters as the contract gives them. */
type Asked = {
  language?: Locale | undefined;
  community?: string | undefined;
  author?: string | undefined;
  within?: keyof typeof PERIOD_DAYS | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

/** The kinds of a group that the filters can leave. Only what people write has an author and a time of its own. */
function kindsOf(group: Exclude<Group, 'people'>, { community, author, within, from, to }: Asked): DocumentKind[] {
  return KINDS[group].filter(
    (kind) =>
      (!community || kind === 'community' || kind === 'post' || kind === 'reply') &&
      (!(author ?? within ?? from ?? to) || isWritten(kind)),
  );
}

const isFiltered = ({ language, community, author, within, from, to }: Asked) =>
  (language ?? community ?? author ?? within ?? from ?? to) !== undefined;

/** Everything the viewer may read, within one community if given. A hidden community leaves as little as an unknown one. */
async function findReadable(ctx: Ctx, viewer: Viewer, community: string | undefined): Promise<Readable> {
  const [catalogue, editorials, journeys, communities] = await Promise.all([
    visibleCatalogue(ctx, viewer),
    seenEditorials(ctx.db, viewer),
    readableJourneys(ctx, viewer),
    readableCommunities(ctx, viewer, community),
  ]);
  return { ...catalogue, editorials: editorials.map(({ id }) => id), journeys, ...communities };
}

type TextResults = { texts: Map<string, SearchResult[]>; isNearly: boolean };

/** Results by group, best first, with one row beyond the page when there is one. */
async function findTexts(
  ctx: Ctx,
  viewer: Viewer,
  groups: GroupPage[],
  { q, locale, ...asked }: { q: string; locale: Locale } & Asked,
): Promise<TextResults> {
  if (groups.length === 0) return { texts: new Map(), isNearly: false };
  const [words, readable] = await Promise.all([
    parseWords(ctx.db, quoteRuns(firstWords(singleNots(q)))),
    findReadable(ctx, viewer, asked.community),
  ]);
  const { language, author, within, from, to } = asked;
  const filters: Filters = { language, authorId: author, lastDays: within && PERIOD_DAYS[within], from, to };
  const options = { filters, words, locales: [...new Set([...chainOf(locale), ...LOCALES])], readable };
  let rows = await findDocuments(ctx.db, groups, { ...options, bySimilarity: false });
  const isExact = rows.length > 0;
  if (!isExact)
    rows = await withSimilarity(
      ctx.db,
      async (db) => await findDocuments(db, groups, { ...options, bySimilarity: true }),
    );
  const kinds = [...Map.groupBy(rows, ({ kind }) => kind)];
  const details = new Map(
    await Promise.all(
      kinds.map(
        async ([kind, own]) =>
          [
            kind,
            await findDetails(
              ctx.db,
              kind,
              own.map(({ id }) => id),
            ),
          ] as const,
      ),
    ),
  );
  const found = new Map<string, SearchResult[]>(groups.map(({ group }) => [group, []]));
  for (const row of rows) {
    const detail = details.get(row.kind)?.get(row.id);
    if (detail) found.get(row.group)?.push(toResult(row, detail, locale));
  }
  return { texts: found, isNearly: !isExact && rows.length > 0 };
}

async function findPeople(
  ctx: Ctx,
  viewer: Viewer,
  { words, limit, offset }: { words: string; limit: number; offset: number },
): Promise<SearchResult[]> {
  if (!isActive(viewer)) return [];
  const rows = await findInDirectory(ctx, viewer, { match: words, limit: limit + 1, offset });
  return rows.map(toPersonResult);
}

/** Searches what the viewer may read: a page of one group, or the best results of each. */
export async function search(
  ctx: Ctx,
  viewer: Viewer,
  input: { q: string; group?: Group | undefined; limit: number; offset: number; locale: Locale } & Asked,
): Promise<{ groups: GroupResults[]; isNearly: boolean }> {
  const groups = input.group ? [input.group] : [...SEARCH_GROUPS];
  if (isLockedOut(viewer))
    return { groups: groups.map((group) => ({ group, results: [], more: false })), isNearly: false };
  const { limit, offset } = input.group ? input : { limit: GROUP_SIZE, offset: 0 };
  const pages = groups.flatMap((group) =>
    group === 'people' ? [] : [{ group, kinds: kindsOf(group, input), limit, offset }],
  );
  const [{ texts, isNearly }, people] = await Promise.all([
    findTexts(ctx, viewer, pages, input),
    groups.includes('people') && !isFiltered(input) ? findPeople(ctx, viewer, { words: input.q, limit, offset }) : [],
  ]);
  return {
    groups: groups.map((group) => {
      const found = group === 'people' ? people : (texts.get(group) ?? []);
      return { group, results: found.slice(0, limit), more: found.length > limit };
    }),
    isNearly,
  };
}
