// Raw SQL: a removed reply is stored as the JSON of its row, which only PostgreSQL turns back into a row.
import { type Selectable, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { DB } from '#server/db/schema.ts';

/** The row of reactions in this JSON. */
const rowOf = (held: string) =>
  sql<Selectable<DB['reactions']>>`jsonb_populate_record(null::reactions, ${held}::jsonb)`.as('old');

/** Undeletes a post; undefined when it is not deleted or no longer exists. */
export async function undeleteActivity(
  db: Db,
  id: string,
): Promise<{ community_id: string | null; lesson_key: string | null } | undefined> {
  return await db
    .updateTable('activities')
    .set({ deleted_at: null, deleted_by: null })
    .where('id', '=', id)
    .where('deleted_at', 'is not', null)
    .returning(['community_id', 'lesson_key'])
    .executeTakeFirst();
}

/** Writes the replies of a post again, so that the triggers of the search index store them. */
export async function reindexReplies(db: Db, activityId: string): Promise<void> {
  await db
    .updateTable('reactions')
    .set((eb) => ({ body_html: eb.ref('body_html') }))
    .where('activity_id', '=', activityId)
    .where('kind', '=', 'reply')
    .where('deleted_at', 'is', null)
    .execute();
}

/** Locks an existing post, as deleting a reply does first. */
export async function lockActivity(db: Db, id: string): Promise<{ author_id: string } | undefined> {
  return await db
    .selectFrom('activities')
    .select('author_id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function hasReaction(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('reactions').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Undeletes a reply whose row others' replies have kept. Returns false when there is no such row. */
export async function undeleteReply(db: Db, held: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('reactions as r')
    .from(rowOf(held))
    .set((eb) => ({
      deleted_at: null,
      deleted_by: null,
      body: eb.ref('old.body'),
      body_html: eb.ref('old.body_html'),
      additional_data: eb.ref('old.additional_data'),
      mentioned: eb.ref('old.mentioned'),
    }))
    .whereRef('r.id', '=', 'old.id')
    .where('r.deleted_at', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const REPLY_COLUMNS = [
  'id',
  'activity_id',
  'parent_id',
  'depth',
  'kind',
  'user_id',
  'body',
  'body_html',
  'locale',
  'additional_data',
  'mentioned',
  'created_at',
  'updated_at',
  'edited_at',
] as const;

/** Inserts a reply again with its likes, which the decision keeps. */
export async function insertReply(
  db: Db,
  { id, held, decisionId }: { id: string; held: string; decisionId: string },
): Promise<void> {
  await db
    .insertInto('reactions')
    .columns(REPLY_COLUMNS)
    .expression((eb) => eb.selectFrom(rowOf(held)).select(REPLY_COLUMNS))
    .execute();
  await db
    .insertInto('reactions')
    .columns(['id', 'activity_id', 'parent_id', 'depth', 'kind', 'user_id', 'created_at', 'updated_at'])
    .expression((eb) =>
      eb
        .selectFrom('moderation_held_likes as l')
        .innerJoin('reactions as r', (join) => join.on('r.id', '=', id))
        .select((select) => [
          'l.id',
          'r.activity_id',
          'r.id as parent_id',
          select('r.depth', '+', 1).as('depth'),
          select.val('like').as('kind'),
          'l.user_id',
          'l.created_at',
          'l.created_at as updated_at',
        ])
        .where('l.decision_id', '=', decisionId),
    )
    .execute();
  await db
    .updateTable('reactions')
    .set((eb) => ({
      like_count: eb
        .selectFrom('reactions as l')
        .select(({ fn }) => fn.countAll<number>().as('likes'))
        .where('l.parent_id', '=', id)
        .where('l.kind', '=', 'like'),
    }))
    .where('id', '=', id)
    .execute();
}

export async function countReply(db: Db, parentId: string): Promise<void> {
  await db
    .updateTable('reactions')
    .set((eb) => ({ reply_count: eb('reply_count', '+', 1) }))
    .where('id', '=', parentId)
    .execute();
}

/** Counts a reply of a person to a post. Returns the points that the post gains: none after the person's first. */
export async function countReplyOf(db: Db, reply: { activityId: string; userId: string }): Promise<number> {
  const { points } = await db
    .insertInto('activity_people')
    .values({ activity_id: reply.activityId, user_id: reply.userId, kind: 'reply', times: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['activity_id', 'user_id', 'kind'])
        .doUpdateSet((eb) => ({ times: eb('activity_people.times', '+', 1) })),
    )
    .returning(sql<number>`case when times > 1 then 0 else activity_points(kind) end`.as('points'))
    .executeTakeFirstOrThrow();
  return points;
}

/** Adds to the counters of a post, and ranks it again. */
export async function addToCounters(
  db: Db,
  activityId: string,
  { replies, points }: { replies: number; points: number },
): Promise<void> {
  await db
    .updateTable('activities')
    .set((eb) => ({
      reply_count: eb('reply_count', '+', replies),
      people_points: eb('people_points', '+', points),
      hot: eb.fn<number>('activity_hot', [eb('people_points', '+', points), 'created_at']),
    }))
    .where('id', '=', activityId)
    .execute();
}
