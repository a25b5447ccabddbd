// Raw SQL: prepared, the hottest read: a page of posts with its texts and authors in one statement.
import { FEED_PAGE_SIZE, type Ranking } from '@officium/contract/community';
import { viewerId } from '#server/access/viewer.ts';
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { type Db, prepared, runPrepared } from '#server/db/client.ts';
import { ACCESS_COLUMNS, ACCESS_SOURCE, type CommunityAccessRow } from '../members/access.repository.ts';
import { isIn, type Place } from '../posts/activity.repository.ts';
import { isActiveOwner } from '../members/rights.sql.ts';
import {
  isConnectedTo,
  localText,
  type LocalViewer,
  personKeys,
  VIEWERS,
  viewersValues,
  viewerSql,
} from '../viewer.sql.ts';
import type { RowKeys } from './hydrate.service.ts';
import { type KeyTuple, toKeys, type Versioned } from './row.cache.ts';
import { orderText } from './ranking.sql.ts';
import { POLL_VERSION } from './rows.repository.ts';

// A skeleton is the part of an answer that is read for every request: the ids and row versions of the posts, and the
// viewer's own reactions and votes.

/** A post by its row and the rows that are shown with it. */
export type PostKey = Versioned & {
  author: Versioned;
  poll: Versioned | null;
  mentioned: Versioned[];
  communityId: string | null;
  /** The length of its texts. */
  bytes: number;
};

/** One viewer's own part of some posts. */
export type OwnPostPart = {
  /** Likes and pins: the post, the kind, the reaction's id. */
  reactions: [postId: string, kind: 'like' | 'pin', id: string][] | null;
  votes: [pollId: string, id: string, optionId: string][] | null;
  /** The authors with a private profile whom the viewer is connected to. */
  connected: string[] | null;
  /** By the database's clock; polls that end until then are closed. */
  readAt: Date;
};

/** A PostKey as the database returns it. */
export type PostTuple = [
  id: string,
  version: string,
  authorId: string,
  authorVersion: string,
  pollVersion: string | null,
  mentioned: KeyTuple[] | null,
  communityId: string | null,
  bytes: number,
];

export function toPostKeys(posts: PostTuple[]): PostKey[] {
  return posts.map(([id, version, authorId, authorVersion, pollVersion, mentioned, communityId, bytes]) => ({
    id,
    version,
    author: { id: authorId, version: authorVersion },
    poll: pollVersion === null ? null : { id, version: pollVersion },
    mentioned: toKeys(mentioned),
    communityId,
    bytes,
  }));
}

/** The rows that posts are shown with. */
export function rowKeysOf(posts: PostKey[]): RowKeys {
  return {
    activities: posts,
    people: posts.flatMap(({ author, mentioned }) => [author, ...mentioned]),
    polls: posts.flatMap(({ poll }) => poll ?? []),
  };
}

/** The rows `a` that `where` selects, numbered by `order`; they become the materialised relation `page`. */
export const rankedText = (where: string, order: string) => `
  select a.*, a.xmin as version, row_number() over (order by ${order}) as nth from ${where} order by ${order}`;

export const pageText = (ranked: string) => `page as materialized (
  select a.nth, a.id, a.version, a.author_id, u.xmin as author_version, u.visibility = 'private' as is_private,
    a.verb = 'poll' as is_poll, a.like_count + a.pin_count > 0 as has_reactions, a.community_id,
    coalesce(octet_length(a.body), 0) + coalesce(octet_length(a.body_html), 0) as bytes,
    case when a.verb = 'poll' then (select ${POLL_VERSION} from polls p where p.id = a.id) end as poll_version,
    case when a.mentioned <> '{}' then ${personKeys('a.mentioned')} end as mentioned
  from (${ranked}) a join users u on u.id = a.author_id)`;

/** The posts of `page`, as PostTuples. */
export const POSTS = `(
  select coalesce(json_agg(json_build_array(page.id, page.version, page.author_id, page.author_version,
    page.poll_version, page.mentioned, page.community_id, page.bytes) order by page.nth), '[]') from page)`;

/** The columns of OwnPostPart, for a viewer `v` and the posts of `page`. */
export const OWN_COLUMNS = `now() as "readAt", (
    select json_agg(json_build_array(own.activity_id, own.kind, own.id)) from reactions own
    where own.activity_id = any(array(select page.id from page where page.has_reactions)) and own.user_id = v.id
      and own.parent_id is null and own.kind <> 'reply') as reactions, (
    select json_agg(json_build_array(pv.poll_id, pv.id, pv.option_id) order by pv.id) from poll_votes pv
    where pv.poll_id = any(array(select page.id from page where page.is_poll)) and pv.user_id = v.id) as votes, (
    select json_agg(page.author_id) from page where page.is_private and ${isConnectedTo('page.author_id')}) as connected`;

/** The active owners of the community `c`. */
export const OWNERS = `(
  select json_agg(m.user_id) from community_members m
  where m.community_id = c.id and ${isActiveOwner('m')})`;

export const TITLE = localText('c.title', 'c.locale');

/** One viewer's access to a community and their own part of a page of its posts. */
export type FeedViewerRow = CommunityAccessRow & OwnPostPart & { viewerId: string; title: string };
/** The part of a page that a group of viewers shares. */
export type SharedPostPart = { posts: PostTuple[]; owners: string[] | null; total: number };
/** `shared` is a SharedPostPart as JSON: equal texts mean equal rows. */
export type CommunityRows = { rows: FeedViewerRow[]; shared: string | undefined };

type SkeletonRow = FeedViewerRow & { shared: string | null };

const toCommunityRows = (rows: SkeletonRow[]): CommunityRows => ({
  rows,
  shared: rows.find(({ shared }) => shared !== null)?.shared ?? undefined,
});

const communityText = (ranked: string, total: string) => `
  with ${pageText(ranked)}
  select v.id as "viewerId", ${ACCESS_COLUMNS}, ${TITLE} as title, ${OWN_COLUMNS},
    case when v.nth = 1 then json_build_object('posts', ${POSTS}, 'owners', ${OWNERS}, 'total', ${total})::text end as shared
  from ${VIEWERS} cross join ${ACCESS_SOURCE}
  where c.slug = $5`;

/** The condition that `a` is a live activity of the community with the statement's slug. */
const ALIVE = 'a.community_id = (select id from communities where slug = $5) and a.deleted_at is null';

/** The testing ranking considers only this many of the hottest posts. */
export const TESTED = 1000;

/** The activities `a` that `where` selects and a ranking considers. */
export const sourceText = (ranking: Ranking, where: string) =>
  ranking === 'community_feed_testing'
    ? `(select a.*, a.xmin from activities a where ${where} order by ${orderText('community_feed_live')} limit ${TESTED}) a`
    : `activities a where ${where}`;

/** One plan serves every first page if its offset is no value. */
function feedText(ranking: Ranking, feed: { hasCategory: boolean; limit: number; hasOffset: boolean }): string {
  const order = orderText(ranking);
  const where = feed.hasCategory ? `${ALIVE} and a.categories @> array[$7]` : ALIVE;
  const ranked = `${rankedText(sourceText(ranking, where), order)} limit ${feed.limit} ${feed.hasOffset ? 'offset $6' : ''}`;
  return communityText(ranked, feed.hasCategory ? 'activity_count(c.id, $7)' : 'activity_count(c.id)');
}

/** The page that most requests ask for. */
const firstPage = (ranking: Ranking) =>
  prepared<SkeletonRow>(
    () =>
      sql<SkeletonRow>`${sql.raw(feedText(ranking, { hasCategory: false, limit: FEED_PAGE_SIZE, hasOffset: false }))}`,
  );
const FIRST_PAGE = {
  community_feed_live: firstPage('community_feed_live'),
  recent_with_pin: firstPage('recent_with_pin'),
  community_feed_testing: firstPage('community_feed_testing'),
} satisfies Record<Ranking, unknown>;

export type FeedRequest = {
  slug: string;
  ranking: Ranking;
  category: string | undefined;
  limit: number;
  offset: number;
};

export const isFirstPage = ({ category, limit, offset }: FeedRequest) =>
  category === undefined && offset === 0 && limit === FEED_PAGE_SIZE;

/**
 * A page of a community's feed for viewers of one group, in one statement; the caller checks their access. First pages
 * are prepared statements with the limit in the text: the generic plan is then as good as a custom one.
 */
export async function findFeed(
  db: Db,
  viewers: { ids: string[]; sample: LocalViewer },
  feed: FeedRequest,
): Promise<CommunityRows> {
  const { ranking, category, limit, offset } = feed;
  const values: unknown[] = [...viewersValues(viewers.ids, viewers.sample), feed.slug];
  const hasCategory = category !== undefined;
  if (isFirstPage(feed)) return toCommunityRows(await FIRST_PAGE[ranking](db, values));
  const hasOffset = hasCategory || offset > 0;
  const text = feedText(ranking, { hasCategory, limit, hasOffset });
  const query = CompiledQuery.raw(text, [
    ...values,
    ...(hasOffset ? [offset] : []),
    ...(hasCategory ? [category] : []),
  ]);
  return toCommunityRows((await db.executeQuery<SkeletonRow>(query)).rows);
}

/** The posts of a community with these ids, in their order, for one viewer; the caller checks access. */
export async function findListed(
  db: Db,
  localViewer: LocalViewer,
  { slug, category, ids }: Pick<FeedRequest, 'slug' | 'category'> & { ids: readonly string[] },
): Promise<CommunityRows> {
  const ranked = rankedText(
    `activities a where a.id = any($6::uuid[]) and ${ALIVE}`,
    'array_position($6::uuid[], a.id)',
  );
  const text = communityText(ranked, category === undefined ? 'activity_count(c.id)' : 'activity_count(c.id, $7)');
  const values = [...viewersValues([viewerId(localViewer.viewer)], localViewer), slug, ids];
  const query = CompiledQuery.raw(text, category === undefined ? values : [...values, category]);
  return toCommunityRows((await db.executeQuery<SkeletonRow>(query)).rows);
}

const ONE = prepared<SkeletonRow>(
  () => sql<SkeletonRow>`
    ${sql.raw(communityText(rankedText(`activities a where a.id = $6 and ${ALIVE}`, 'a.id'), '1'))}`,
);

/** One post of a community, for viewers of one group. */
export async function findPost(
  db: Db,
  viewers: { ids: string[]; sample: LocalViewer },
  at: { slug: string; id: string },
): Promise<CommunityRows> {
  return toCommunityRows(await ONE(db, [...viewersValues(viewers.ids, viewers.sample), at.slug, at.id]));
}

/** A post in any place, for a viewer whose access was checked. */
export type PlacedPostRow = OwnPostPart & {
  posts: PostTuple[];
  slug: string | null;
  title: string | null;
  owners: string[] | null;
};

export async function findPlacedPost(
  db: Db,
  localViewer: LocalViewer,
  { place, id }: { place: Place; id: string },
): Promise<PlacedPostRow | undefined> {
  const ranked: RawBuilder<unknown> = sql`
    select a.*, a.xmin as version, 1 as nth from activities a
    where a.id = ${id} and ${isIn(place)} and a.deleted_at is null`;
  const [row] = await runPrepared(
    db,
    sql<PlacedPostRow>`
      with ranked as (${ranked}), ${sql.raw(pageText('select * from ranked'))}
      select ${sql.raw(OWN_COLUMNS)}, ${sql.raw(POSTS)} as posts, c.slug,
        case when c.id is not null then ${sql.raw(TITLE)} end as title, ${sql.raw(OWNERS)} as owners
      from ${viewerSql(localViewer.viewer, localViewer.locale)} cross join page here left join communities c on c.id = here.community_id`,
  );
  return row;
}
