import type { Locale } from '@officium/contract/common';
import { GROUP_SIZE, SEARCH_GROUPS, type SearchResult } from '@officium/contract/search';
import { chainOf, LOCALES } from '@officium/i18n/locales';
import { isActive, isLockedOut, type Viewer } from '#server/access/viewer.ts';
import { readableCommunities } from '#server/areas/community/members/community.service.ts';
import { visibleCatalogue } from '#server/areas/catalogue/catalogue.service.ts';
import { readableJourneys } from '#server/areas/learner/enrolment.service.ts';
import { search as searchPeople } from '#server/areas/people/user.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { firstWords, quoteRuns, singleNots } from './search.policy.ts';
import { findDetails } from './detail.repository.ts';
import type { DocumentKind } from './document.rows.ts';
import { type AskedPage, findDocuments, parseWords, type Readable, withLikeness } from './search.repository.ts';
import { toPersonResult, toResult } from './search.view.ts';

type Group = (typeof SEARCH_GROUPS)[number];
export type GroupFound = { group: Group; results: SearchResult[]; more: boolean };

const KINDS: Record<Exclude<Group, 'people'>, DocumentKind[]> = {
  learning: ['course', 'lesson', 'microcourse', 'academy'],
  communities: ['community'],
  posts: ['post', 'reply'],
  articles: ['article'],
};

async function findReadable(ctx: Ctx, viewer: Viewer): Promise<Readable> {
  const [catalogue, journeys, communities] = await Promise.all([
    visibleCatalogue(ctx, viewer),
    readableJourneys(ctx, viewer),
    readableCommunities(ctx, viewer),
  ]);
  return { ...catalogue, journeys, ...communities };
}

type TextsFound = { texts: Map<string, SearchResult[]>; isNearly: boolean };

/** What was found, in the same order, one more than asked for when there is one beyond the page. */
async function findTexts(
  ctx: Ctx,
  viewer: Viewer,
  asked: AskedPage[],
  { q, locale }: { q: string; locale: Locale },
): Promise<TextsFound> {
  if (asked.length === 0) return { texts: new Map(), isNearly: false };
  const [words, readable] = await Promise.all([
    parseWords(ctx.db, quoteRuns(firstWords(singleNots(q)))),
    findReadable(ctx, viewer),
  ]);
  const given = { words, locales: [...new Set([...chainOf(locale), ...LOCALES])], readable };
  let rows = await findDocuments(ctx.db, asked, { ...given, nearly: false });
  const isExact = rows.length > 0;
  if (!isExact)
    rows = await withLikeness(ctx.db, async (db) => await findDocuments(db, asked, { ...given, nearly: true }));
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
  const found = new Map<string, SearchResult[]>(asked.map(({ group }) => [group, []]));
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
  const { rows } = await searchPeople(ctx, viewer, { match: words, limit: limit + 1, offset });
  return rows.map(toPersonResult);
}

/** What somebody may read that has these words, by group; only one group, or the best of each. */
export async function search(
  ctx: Ctx,
  viewer: Viewer,
  input: { q: string; group?: Group | undefined; limit: number; offset: number; locale: Locale },
): Promise<{ groups: GroupFound[]; isNearly: boolean }> {
  const groups = input.group ? [input.group] : [...SEARCH_GROUPS];
  if (isLockedOut(viewer))
    return { groups: groups.map((group) => ({ group, results: [], more: false })), isNearly: false };
  const { limit, offset } = input.group ? input : { limit: GROUP_SIZE, offset: 0 };
  const asked = groups.flatMap((group) => (group === 'people' ? [] : [{ group, kinds: KINDS[group], limit, offset }]));
  const [{ texts, isNearly }, people] = await Promise.all([
    findTexts(ctx, viewer, asked, { q: input.q, locale: input.locale }),
    groups.includes('people') ? findPeople(ctx, viewer, { words: input.q, limit, offset }) : [],
  ]);
  return {
    groups: groups.map((group) => {
      const found = group === 'people' ? people : (texts.get(group) ?? []);
      return { group, results: found.slice(0, limit), more: found.length > limit };
    }),
    isNearly,
  };
}
