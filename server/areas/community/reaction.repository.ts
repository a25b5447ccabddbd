import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Viewer } from '#server/access/viewer.ts';
import { type Db, newId } from '#server/db/client.ts';
import { REACTION_JSON } from './reaction.sql.ts';
import { readerSql } from './reader.sql.ts';

/** The kinds the generic routes take. */
export type OpenKind = 'like' | 'pin' | 'reply';

/** A reaction about to be answered, changed or deleted. `isAuthorTop` as for activities. */
export type ReactionRow = {
  id: string;
  activityId: string;
  parentId: string | null;
  depth: number;
  kind: OpenKind;
  authorId: string;
  isAuthorTop: boolean;
  locale: Locale;
  isDeleted: boolean;
};

/** To be read under the lock of its activity. */
export async function getReaction(
  db: Db,
  reaction: { id: string; activityId: string },
): Promise<ReactionRow | undefined> {
  const { rows } = await sql<ReactionRow>`
    select r.id, r.activity_id as "activityId", r.parent_id as "parentId", r.depth, r.kind, r.user_id as "authorId",
      u.role = 'administrator' or exists (
        select from activities a join community_members m on m.community_id = a.community_id
        where a.id = r.activity_id and m.user_id = r.user_id and m.role = 'owner' and m.status = 'active') as "isAuthorTop",
      r.locale, r.deleted_at is not null as "isDeleted"
    from reactions r join users u on u.id = r.user_id
    where r.id = ${reaction.id} and r.activity_id = ${reaction.activityId}`.execute(db);
  return rows[0];
}

/** Somebody's like or pin of an activity, or of a reaction to it. */
export async function getOwnReaction(
  db: Db,
  own: { activityId: string; parentId: string | null; kind: OpenKind; userId: string },
): Promise<string | undefined> {
  const target = own.parentId === null ? sql`parent_id is null` : sql`parent_id = ${own.parentId}`;
  const { rows } = await sql<{ id: string }>`
    select id from reactions
    where activity_id = ${own.activityId} and ${target} and kind = ${own.kind} and user_id = ${own.userId}`.execute(db);
  return rows[0]?.id;
}

export type NewReaction = {
  activityId: string;
  parentId: string | null;
  depth: number;
  kind: OpenKind;
  userId: string;
  body: string | null;
  bodyHtml: string | null;
  locale: Locale;
  additionalData?: object;
  mentioned?: string[];
  /** For what was said before it came here; now when left out. */
  createdAt?: Date;
};

/** Adds a reaction and counts it for the one it answers; what it means for the activity is counted there. */
export async function insertReaction(db: Db, reaction: NewReaction): Promise<string> {
  const id = newId(reaction.createdAt);
  await sql`
    insert into reactions (id, activity_id, parent_id, depth, kind, user_id, body, body_html, locale, additional_data,
      mentioned, created_at, updated_at)
    values (${id}, ${reaction.activityId}, ${reaction.parentId}, ${reaction.depth}, ${reaction.kind}, ${reaction.userId},
      ${reaction.body}, ${reaction.bodyHtml}, ${reaction.locale}, ${JSON.stringify(reaction.additionalData ?? {})},
      ${reaction.mentioned ?? []}::uuid[], coalesce(${reaction.createdAt ?? null}::timestamptz, now()),
      coalesce(${reaction.createdAt ?? null}::timestamptz, now()))`.execute(db);
  await countChild(db, { parentId: reaction.parentId, kind: reaction.kind, by: 1 });
  return id;
}

async function countChild(db: Db, child: { parentId: string | null; kind: OpenKind; by: 1 | -1 }): Promise<void> {
  if (child.parentId === null || child.kind === 'pin') return;
  const counter = sql.ref(child.kind === 'like' ? 'like_count' : 'reply_count');
  await sql`update reactions set ${counter} = ${counter} + ${child.by} where id = ${child.parentId}`.execute(db);
}

export async function updateReaction(
  db: Db,
  reaction: {
    id: string;
    body: string;
    bodyHtml: string | null;
    locale: Locale;
    /** Stays as it is when left out. */
    additionalData?: object;
    mentioned: string[];
  },
): Promise<void> {
  const additionalData = reaction.additionalData ? JSON.stringify(reaction.additionalData) : null;
  await sql`
    update reactions set body = ${reaction.body}, body_html = ${reaction.bodyHtml}, locale = ${reaction.locale},
      additional_data = coalesce(${additionalData}::jsonb, additional_data), mentioned = ${reaction.mentioned}::uuid[],
      updated_at = now(), edited_at = now()
    where id = ${reaction.id}`.execute(db);
}

/**
 * Deletes a reaction under the lock of its activity. A reply with replies leaves an empty row in its place, which goes
 * with the last of them.
 */
export async function deleteReaction(db: Db, reaction: ReactionRow, deletedBy: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update reactions set deleted_at = now(), deleted_by = ${deletedBy}, body = null, body_html = null,
      additional_data = '{}', mentioned = '{}'
    where id = ${reaction.id} and exists (select from reactions where parent_id = ${reaction.id} and kind = 'reply')
    returning id`.execute(db);
  await countChild(db, { parentId: reaction.parentId, kind: reaction.kind, by: -1 });
  if (rows.length > 0) return;
  let emptied: string | null = reaction.parentId;
  await sql`delete from reactions where id = ${reaction.id}`.execute(db);
  while (emptied !== null && reaction.kind === 'reply') emptied = await deleteEmptied(db, emptied);
}

/** Deletes a deleted reply's row when nothing is left under it; answers its parent. */
async function deleteEmptied(db: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{ parent_id: string | null }>`
    delete from reactions
    where id = ${id} and deleted_at is not null
      and not exists (select from reactions where parent_id = ${id} and kind = 'reply')
    returning parent_id`.execute(db);
  return rows[0]?.parent_id ?? null;
}

/** The contract's Reaction as JSON text. */
export async function getReactionJson(db: Db, viewer: Viewer, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ json: string }>`
    select ${sql.raw(REACTION_JSON)} as json
    from ${readerSql(viewer)} cross join reactions r join users u on u.id = r.user_id
    where r.id = ${id}`.execute(db);
  return rows[0]?.json;
}

export type ReactionWindow = { kind: OpenKind; limit: number; id_gt?: string; id_lt?: string };

/** Reactions to an activity or to one of its reactions, each as JSON text, in the order of the window. */
export async function findReactions(
  db: Db,
  viewer: Viewer,
  target: { activityId: string } | { reactionId: string },
  window: ReactionWindow,
): Promise<{ id: string; json: string }[]> {
  const isTarget =
    'activityId' in target
      ? sql`r.activity_id = ${target.activityId} and r.parent_id is null`
      : sql`r.parent_id = ${target.reactionId}`;
  const isInside =
    window.id_gt !== undefined
      ? sql`r.id > ${window.id_gt}::uuid`
      : window.id_lt !== undefined
        ? sql`r.id < ${window.id_lt}::uuid`
        : sql`true`;
  const direction = sql.raw(window.id_gt !== undefined ? 'asc' : 'desc');
  const { rows } = await sql<{ id: string; json: string }>`
    select r.id, ${sql.raw(REACTION_JSON)} as json
    from ${readerSql(viewer)} cross join (
      select * from reactions r where ${isTarget} and r.kind = ${window.kind} and ${isInside}
      order by r.id ${direction} limit ${window.limit}) r
    join users u on u.id = r.user_id
    order by r.id ${direction}`.execute(db);
  return rows;
}
