import type { Locale } from '@officium/contract/common';
import { FEED_PAGE_SIZE, type Ranking } from '@officium/contract/community';
import { type RawBuilder, sql } from 'kysely';
import type { Pool, QueryConfig } from 'pg';
import type { UserViewer } from '#server/access/viewer.ts';
import { type Db, newId, prepared, runPrepared } from '#server/db/client.ts';
import {
  ACCESS_COLUMNS,
  ACCESS_SOURCE,
  type AccessRow,
  type Expected,
  expectedValues,
  IS_EXPECTED,
} from './access.repository.ts';
import { ACTIVITY_JSON, activityText, COMMUNITY_TEXT, NEW_ACTIVITY_JSON } from './activity.sql.ts';
import { localesOf, type Reader, READER, READERS, readerSql, readersValues, readerValues } from './reader.sql.ts';

export type NewActivity = {
  communityId: string | null;
  lessonKey?: string;
  authorId: string;
  verb: 'post' | 'poll' | 'lesson';
  title: string | null;
  body: string | null;
  bodyHtml: string | null;
  bodyMap?: object;
  bodyHtmlMap?: object;
  locale: Locale;
  categories?: string[];
  additionalData?: object;
  mentioned?: string[];
  /** For what was said before it came here; now when left out. */
  createdAt?: Date;
};

/** The insertion of an activity, with all columns of its row; triggers count it in its community. */
const INSERTION = `
  insert into activities (id, community_id, lesson_key, author_id, verb, title, body, body_html, body_map,
    body_html_map, locale, categories, additional_data, mentioned, created_at, updated_at, hot)
  select $4::uuid, $5::uuid, $6::uuid, $1::uuid, $7::text, $8::text, $9::text, $10::text, $11::jsonb, $12::jsonb,
    $13::text, $14::text[], $15::jsonb, $16::uuid[], moment.at, moment.at, activity_hot(0, moment.at)
  from (select coalesce($17::timestamptz, now()) as at) moment
  where ${IS_EXPECTED}
  returning *`;

function insertionValues(activity: NewActivity, expected?: Expected): unknown[] {
  return [
    ...expectedValues(activity.authorId, expected),
    newId(activity.createdAt),
    activity.communityId,
    activity.lessonKey ?? null,
    activity.verb,
    activity.title,
    activity.body,
    activity.bodyHtml,
    activity.bodyMap ? JSON.stringify(activity.bodyMap) : null,
    activity.bodyHtmlMap ? JSON.stringify(activity.bodyHtmlMap) : null,
    activity.locale,
    activity.categories ?? [],
    JSON.stringify(activity.additionalData ?? {}),
    activity.mentioned ?? [],
    activity.createdAt ?? null,
  ];
}

const INSERT = prepared<{ id: string }>(
  () => sql<{ id: string }>`with a as (${sql.raw(INSERTION)}) select a.id from a`,
);

/** Adds an activity and answers its id. */
export async function insertActivity(db: Db, activity: NewActivity): Promise<string> {
  const [row] = await INSERT(db, insertionValues(activity));
  return row!.id; // nothing is expected, so that it is inserted
}

/** `json` is the contract's Activity as text, for its author, when the post mentions nobody. */
export type AddedPost = { id: string; json: string | null };

const INSERT_POST = prepared<AddedPost>(
  () => sql<AddedPost>`
    with a as (${sql.raw(INSERTION)})
    select a.id, case when a.mentioned = '{}' then ${sql.raw(NEW_ACTIVITY_JSON)} end as json
    from (select $18::text[] as locales) v cross join a
      join users u on u.id = a.author_id left join communities c on c.id = a.community_id`,
);

/** Adds an activity that is no poll; undefined when the access is no longer the expected one. */
export async function insertPost(
  db: Db,
  reader: Reader<UserViewer>,
  activity: NewActivity,
  expected?: Expected,
): Promise<AddedPost | undefined> {
  const [row] = await INSERT_POST(db, [...insertionValues(activity, expected), localesOf(reader.locale)]);
  return row;
}

/** An activity about to be changed. `isAuthorTop`: its author is an owner of the community or an administrator. */
export type LockedActivity = {
  id: string;
  communityId: string | null;
  authorId: string;
  isAuthorTop: boolean;
  verb: 'post' | 'poll' | 'lesson';
  categories: string[];
  mentioned: string[];
};

/**
 * Where an activity belongs: a community, a lesson or, outside both, its author's profile. One of another place is as
 * absent as one that never was.
 */
export type Place = { communityId: string } | { lessonKey: string } | { profileOf: string };

/** The condition that a row `a` of activities belongs there. */
export function isIn(place: Place): RawBuilder<unknown> {
  if ('communityId' in place) return sql`a.community_id = ${place.communityId}`;
  if ('lessonKey' in place) return sql`a.lesson_key = ${place.lessonKey}`;
  return sql`(a.author_id = ${place.profileOf} and a.community_id is null and a.lesson_key is null)`;
}

/** Takes the lock under which an activity, its reactions and their counters change, one writer after another. */
export async function lockActivity(
  db: Db,
  place: Place,
  { activityId }: { activityId: string },
): Promise<LockedActivity | undefined> {
  const { rows } = await sql<LockedActivity>`
    select a.id, a.community_id as "communityId", a.author_id as "authorId", a.verb, a.categories, a.mentioned,
      u.role = 'administrator' or exists (
        select from community_members m where m.community_id = a.community_id and m.user_id = a.author_id
          and m.role = 'owner' and m.status = 'active') as "isAuthorTop"
    from activities a join users u on u.id = a.author_id
    where a.id = ${activityId} and ${isIn(place)} and a.deleted_at is null
    for no key update of a`.execute(db);
  return rows[0];
}

export type ActivityTexts = {
  title: string | null;
  body: string | null;
  bodyHtml: string | null;
  mentioned: string[];
  categories: string[];
  additionalData: object;
};

/** Replaces what a locked activity says. */
export async function updateActivity(db: Db, { id }: LockedActivity, texts: ActivityTexts): Promise<void> {
  await sql`
    update activities set title = ${texts.title}, body = ${texts.body}, body_html = ${texts.bodyHtml},
      mentioned = ${texts.mentioned}::uuid[], categories = ${texts.categories}::text[],
      additional_data = ${JSON.stringify(texts.additionalData)}, updated_at = now(), edited_at = now()
    where id = ${id}`.execute(db);
}

/** Takes a locked activity out of its community; its reactions go with it from sight. */
export async function deleteActivity(db: Db, { id }: LockedActivity, deletedBy: string): Promise<void> {
  await sql`update activities set deleted_at = now(), deleted_by = ${deletedBy} where id = ${id}`.execute(db);
}

/** The contract's Activity as JSON text; whether the reader may have it is for the caller to say. */
export async function getActivityJson(db: Db, reader: Reader, place: Place, id: string): Promise<string | undefined> {
  const [row] = await runPrepared(
    db,
    sql<{ json: string }>`
      select ${sql.raw(ACTIVITY_JSON)} as json
      from ${readerSql(reader.viewer, reader.locale)} cross join activities a
        join users u on u.id = a.author_id left join communities c on c.id = a.community_id
      where a.id = ${id} and ${isIn(place)} and a.deleted_at is null`,
  );
  return row?.json;
}

export type ActivityRow = AccessRow & { reader: string; json: string | null };

const ACTIVITY = prepared<ActivityRow>(
  () => sql<ActivityRow>`
    select v.id as reader, ${sql.raw(ACCESS_COLUMNS)}, (
      select ${sql.raw(ACTIVITY_JSON)} from activities a join users u on u.id = a.author_id
      where a.id = $6 and a.community_id = c.id and a.deleted_at is null) as json
    from ${sql.raw(READERS)} cross join ${sql.raw(ACCESS_SOURCE)}
    where c.slug = $5`,
);

/**
 * A community, how readers of one kind stand to it, and one of its activities as JSON text for each, null when it is not
 * there, in one query; whether they may have it is for the caller to say.
 */
export async function findActivity(
  db: Db,
  readers: { ids: string[]; any: Reader },
  at: { slug: string; id: string },
): Promise<ActivityRow[]> {
  return await ACTIVITY(db, [...readersValues(readers.ids, readers.any), at.slug, at.id]);
}

/** Each ranking by its order; all end with the id, so that no two are equal. */
export const ORDER: Record<Ranking, string> = {
  community_feed_live: 'a.hot desc, a.id desc',
  recent_with_pin: '(a.pin_count > 0) desc, a.id desc',
  community_feed_testing: `(1 + a.people_points)::float8 ^ 0.8 / (2 + greatest(0, extract(epoch from now() - a.created_at)::float8) / 3600) ^ 1.5 desc, a.id desc`,
};
/** How many of the hottest the testing ranking looks at. */
export const TESTED = 1000;

/** The condition that a row `a` of activities is said in the community `c`. */
export const ALIVE = 'a.community_id = c.id and a.deleted_at is null';

function feedText(ranking: Ranking, feed: { hasCategory: boolean; limit: number; isFirstPage: boolean }): string {
  const order = ORDER[ranking];
  const where = feed.hasCategory ? `${ALIVE} and a.categories @> array[$7]` : ALIVE;
  const source =
    ranking === 'community_feed_testing'
      ? `(select * from activities a where ${where} order by ${ORDER.community_feed_live} limit ${TESTED}) a`
      : `activities a where ${where}`;
  return `
    select ${ACCESS_COLUMNS},
      ${feed.hasCategory ? 'activity_count(c.id, $7)' : 'activity_count(c.id)'} as total,
      (select '[' || coalesce(string_agg(one.json, ','), '') || ']' from (
        select ${activityText('community.text')} as json
        from (select a.* from ${source} order by ${order} limit ${feed.limit} ${feed.isFirstPage ? '' : 'offset $6'}) a
        join users u on u.id = a.author_id
        order by ${order}) one) as results
    from ${READER} cross join ${ACCESS_SOURCE}
      cross join lateral (select ${COMMUNITY_TEXT} as text offset 0) community -- once, not for each row
    where c.slug = $5`;
}

/** The page everybody asks for first. */
const firstPageText = (ranking: Ranking) =>
  feedText(ranking, { hasCategory: false, limit: FEED_PAGE_SIZE, isFirstPage: true });
const FIRST_PAGE: Record<Ranking, string> = {
  community_feed_live: firstPageText('community_feed_live'),
  recent_with_pin: firstPageText('recent_with_pin'),
  community_feed_testing: firstPageText('community_feed_testing'),
};

export type FeedRequest = {
  slug: string;
  ranking: Ranking;
  category: string | undefined;
  limit: number;
  offset: number;
};
export type FeedRow = AccessRow & { total: number; results: string };

/**
 * A community, how the reader stands to it, and a page of its feed as JSON text, in one query; whether the reader may
 * have the feed is for the caller to say. First pages are prepared statements: their limit stands in the text, so that
 * the plan made for all readers is as good as one made for each.
 */
export async function findFeed(pool: Pool, reader: Reader, feed: FeedRequest): Promise<FeedRow | undefined> {
  const { ranking, category, limit, offset } = feed;
  const values: unknown[] = [...readerValues(reader.viewer, reader.locale), feed.slug];
  const hasCategory = category !== undefined;
  const query: QueryConfig =
    !hasCategory && offset === 0 && limit === FEED_PAGE_SIZE
      ? { name: `feed:${ranking}`, text: FIRST_PAGE[ranking], values }
      : {
          text: feedText(ranking, { hasCategory, limit, isFirstPage: false }),
          values: [...values, offset, ...(hasCategory ? [category] : [])],
        };
  const { rows } = await pool.query<FeedRow>(query);
  return rows[0];
}
