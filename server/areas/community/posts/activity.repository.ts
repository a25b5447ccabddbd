// Raw SQL: prepared, because publishing is a hot write of one statement that also notifies; its values are numbered.
import type { Locale } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import type { UserViewer } from '#server/access/viewer.ts';
import { type Db, newId, NOW, prepared } from '#server/db/client.ts';
import { type Expected, expectedValues, IS_EXPECTED } from '../members/access.repository.ts';
import { isTop } from '../members/rights.sql.ts';
import { NOTIFY_OF_POST, notifyOfEdit } from '../notice.sql.ts';
import { localesOf, localText, type LocalViewer } from '../viewer.sql.ts';
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
  /** Set for imported activities; now when left out. */
  createdAt?: Date;
};

/** Inserts an activity and returns its row; triggers count it in its community. */
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

/** The insertion `a`, which also notifies the people it mentions. */
const NOTIFYING_INSERTION = sql`a as (${sql.raw(INSERTION)}), noticed as (${NOTIFY_OF_POST})`;
const QUIET_INSERTION = sql`a as (${sql.raw(INSERTION)})`;

/** Two statements, because most posts mention nobody. */
function insertionsOf<Row>(statement: (insertion: RawBuilder<unknown>) => RawBuilder<Row>) {
  const quiet = prepared(() => statement(QUIET_INSERTION));
  const notifying = prepared(() => statement(NOTIFYING_INSERTION));
  return ({ mentioned = [] }: NewActivity) => (mentioned.length > 0 ? notifying : quiet);
}

const insertionOf = insertionsOf((insertion) => sql<{ id: string }>`with ${insertion} select a.id from a`);

/** Adds an activity and returns its id. */
export async function insertActivity(db: Db, activity: NewActivity): Promise<string> {
  const [row] = await insertionOf(activity)(db, insertionValues(activity));
  return row!.id; // always inserted, since no access is expected
}

/** A post that was just added, with the rows that are shown with it. */
export type AddedPost = {
  post: Omit<ActivityRow, 'version'>;
  author: Omit<ShownPersonRow, 'version'>;
  mentioned: Omit<ShownPersonRow, 'version'>[];
  /** The title of its community, in the author's language. */
  title: string;
};

const postInsertionOf = insertionsOf(
  (insertion) => sql<AddedPost>`
    with ${insertion}
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
  localViewer: LocalViewer<UserViewer>,
  activity: NewActivity,
  expected?: Expected,
): Promise<AddedPost | undefined> {
  const values = [...insertionValues(activity, expected), localesOf(localViewer.locale)];
  const [row] = await postInsertionOf(activity)(db, values);
  return row;
}

/** A locked activity. `isAuthorTop`: its author is an owner of the community or an administrator. */
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
 * The place of an activity: a community, a lesson or, outside both, its author's profile. An activity of another place
 * counts as missing.
 */
export type Place = { communityId: string } | { lessonKey: string } | { profileOf: string };

/** The condition that a row `a` of activities belongs to the place. */
export function isIn(place: Place): RawBuilder<boolean> {
  if ('communityId' in place) return sql<boolean>`a.community_id = ${place.communityId}`;
  if ('lessonKey' in place) return sql<boolean>`a.lesson_key = ${place.lessonKey}`;
  return sql<boolean>`(a.author_id = ${place.profileOf} and a.community_id is null and a.lesson_key is null)`;
}

/** Locks an activity; its reactions and their counters change only under this lock. */
export async function lockActivity(
  db: Db,
  place: Place,
  { activityId }: { activityId: string },
): Promise<LockedActivity | undefined> {
  return await db
    .selectFrom('activities as a')
    .innerJoin('users as u', 'u.id', 'a.author_id')
    .select([
      'a.id',
      'a.community_id as communityId',
      'a.author_id as authorId',
      'a.verb',
      'a.categories',
      'a.mentioned',
    ])
    .select(sql.raw<boolean>(isTop('u', 'a.community_id')).as('isAuthorTop'))
    .where('a.id', '=', activityId)
    .where(isIn(place))
    .where('a.deleted_at', 'is', null)
    .forNoKeyUpdate('a')
    .$narrowType<Pick<LockedActivity, 'verb'>>()
    .executeTakeFirst();
}

export type ActivityTexts = {
  title: string | null;
  body: string | null;
  bodyHtml: string | null;
  mentioned: string[];
  categories: string[];
  additionalData: object;
};

/** The additional data of an edit. The card of a shared article is ours: it stays as it is, and no other post has one. */
const withCard = (id: string, given: object) => sql<string>`
  (${JSON.stringify(given)}::jsonb - 'article') ||
    case when additional_data ? 'article' and exists (select from article_shares s where s.activity_id = ${id})
      then jsonb_build_object('article', additional_data -> 'article') else '{}' end`;

/** Replaces the content of a locked activity. */
export async function updateActivity(db: Db, { id }: LockedActivity, texts: ActivityTexts): Promise<void> {
  await db
    .updateTable('activities')
    .set({
      title: texts.title,
      body: texts.body,
      body_html: texts.bodyHtml,
      mentioned: texts.mentioned,
      categories: texts.categories,
      additional_data: withCard(id, texts.additionalData),
      updated_at: NOW,
      edited_at: NOW,
    })
    .where('id', '=', id)
    .execute();
}

/** Notifies the people whom an edit of a locked activity mentions for the first time. */
export async function notifyOfActivityEdit(db: Db, activity: LockedActivity, mentioned: string[]): Promise<void> {
  const { id, authorId, mentioned: former } = activity;
  const added = mentioned.filter((person) => !former.includes(person));
  if (added.length > 0) await notifyOfEdit({ id, activityId: id, authorId, added }).execute(db);
}

/** Deletes a locked activity. Its reactions stay stored but are no longer reachable. */
export async function deleteActivity(db: Db, { id }: LockedActivity, deletedBy: string): Promise<void> {
  await db.updateTable('activities').set({ deleted_at: NOW, deleted_by: deletedBy }).where('id', '=', id).execute();
}
