import type { Locale } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '#server/access/viewer.ts';
import { type Db, newId } from '#server/db/client.ts';
import { isIn, type Place } from './activity.repository.ts';
import { REACTION_JSON } from './reaction.sql.ts';
import { readerSql } from './reader.sql.ts';

/** The kinds the generic routes take. */
export type OpenKind = 'like' | 'pin' | 'reply';

/** What is reacted to. */
export type Target = { activityId: string } | { reactionId: string };

/** The activity `a` of a target, if it is there and belongs to the place. */
function activityOf(place: Place, target: Target): RawBuilder<unknown> {
  return 'activityId' in target
    ? sql`activities a where a.id = ${target.activityId} and ${isIn(place)} and a.deleted_at is null`
    : sql`reactions t join activities a on a.id = t.activity_id
        where t.id = ${target.reactionId} and ${isIn(place)} and a.deleted_at is null`;
}

export async function hasTarget(db: Db, place: Place, target: Target): Promise<boolean> {
  const { rows } = await sql`select 1 from ${activityOf(place, target)}`.execute(db);
  return rows.length > 0;
}

/** A reaction about to be changed or deleted. `isAuthorTop`: it is an owner's of the community or an administrator's. */
export type ReactionRow = {
  id: string;
  kind: OpenKind;
  authorId: string;
  isAuthorTop: boolean;
  locale: Locale;
  mentioned: string[];
};

export async function getReaction(db: Db, place: Place, id: string): Promise<ReactionRow | undefined> {
  const { rows } = await sql<ReactionRow>`
    select t.id, t.kind, t.user_id as "authorId", t.locale, t.mentioned,
      exists (select from users u where u.id = t.user_id and u.role = 'administrator') or exists (
        select from community_members m where m.community_id = a.community_id and m.user_id = t.user_id
          and m.role = 'owner' and m.status = 'active') as "isAuthorTop"
    from ${activityOf(place, { reactionId: id })} and t.deleted_at is null`.execute(db);
  return rows[0];
}

export type NewReaction = {
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
/**
 * done, with the id of the reaction, which for a like or pin may be an earlier one; gone: no such target; unfit: it is no
 * reply; deep: a fourth level.
 */
export type AddOutcome =
  | { outcome: 'done'; id: string; isNew: boolean }
  | { outcome: 'gone'; id: null; isNew: null }
  | { outcome: 'unfit'; id: null; isNew: null }
  | { outcome: 'deep'; id: null; isNew: null };

/** Adds a reaction with all that is counted about it, or finds the like or pin that is there, in one statement. */
export async function addReaction(db: Db, place: Place, target: Target, reaction: NewReaction): Promise<AddOutcome> {
  const parentId = 'reactionId' in target ? target.reactionId : null;
  const id = newId(reaction.createdAt);
  const { rows } = await sql<AddOutcome>`
    select added.outcome, added.reaction_id as id, added.reaction_id = ${id}::uuid as "isNew"
    from (select a.id from ${activityOf(place, target)}) activity cross join lateral add_reaction(
      ${id}, activity.id, ${parentId}, ${reaction.userId}, ${reaction.kind}, ${reaction.body},
      ${reaction.bodyHtml}, ${reaction.locale}, ${JSON.stringify(reaction.additionalData ?? {})},
      ${reaction.mentioned ?? []}, ${reaction.createdAt ?? null}) added`.execute(db);
  return rows[0] ?? { outcome: 'gone', id: null, isNew: null };
}

/** Replaces what a reply says; false when it was deleted meanwhile. */
export async function updateReaction(
  db: Db,
  reaction: {
    id: string;
    body: string;
    bodyHtml: string | null;
    locale: Locale;
    /** Stays as it is when undefined. */
    additionalData: object | undefined;
    mentioned: string[];
  },
): Promise<boolean> {
  const additionalData = reaction.additionalData ? JSON.stringify(reaction.additionalData) : null;
  const { numAffectedRows } = await sql`
    update reactions set body = ${reaction.body}, body_html = ${reaction.bodyHtml}, locale = ${reaction.locale},
      additional_data = coalesce(${additionalData}::jsonb, additional_data), mentioned = ${reaction.mentioned}::uuid[],
      updated_at = now(), edited_at = now()
    where id = ${reaction.id} and deleted_at is null`.execute(db);
  return numAffectedRows === 1n;
}

/** Deletes a reaction with all that is counted about it, in one statement; false when that was done meanwhile. */
export async function deleteReaction(db: Db, reaction: { id: string; deletedBy: string }): Promise<boolean> {
  const { rows } = await sql<{ outcome: 'done' | 'gone' }>`
    select outcome from delete_reaction(${reaction.id}, ${reaction.deletedBy})`.execute(db);
  return rows[0]?.outcome === 'done';
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
  target: Target,
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
