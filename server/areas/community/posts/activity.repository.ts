import type { Locale } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import type { UserViewer } from '#server/access/viewer.ts';
import { type Db, newId, prepared } from '#server/db/client.ts';
import { type Expected, expectedValues, IS_EXPECTED } from '../members/access.repository.ts';
import { localesOf, localText, type Reader } from '../reader.sql.ts';
import { ACTIVITY_COLUMNS, type ActivityRow, PERSON_COLUMNS, type ShownPersonRow } from '../reading/rows.repository.ts';

const TITLE = localText('c.title', 'c.locale');

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

/** A post that was just added, with the rows that are shown with it. */
export type AddedPost = {
  post: Omit<ActivityRow, 'version'>;
  author: Omit<ShownPersonRow, 'version'>;
  mentioned: Omit<ShownPersonRow, 'version'>[];
  /** Of its community, in the language of the author. */
  title: string;
};

const INSERT_POST = prepared<AddedPost>(
  () => sql<AddedPost>`
    with a as (${sql.raw(INSERTION)})
    select (select row_to_json(post) from (select ${sql.raw(ACTIVITY_COLUMNS)}) post) as post,
      (select row_to_json(author) from (
        select ${sql.raw(PERSON_COLUMNS)} from users u where u.id = a.author_id) author) as author,
      (select coalesce(json_agg(row_to_json(person)), '[]') from (
        select ${sql.raw(PERSON_COLUMNS)} from users u where u.id = any(a.mentioned)) person) as mentioned,
      ${sql.raw(TITLE)} as title
    from (select $18::text[] as locales) v cross join a join communities c on c.id = a.community_id`,
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
