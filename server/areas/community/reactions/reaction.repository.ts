import type { Locale } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import { type Db, newId, prepared } from '#server/db/client.ts';
import { type Expected, expectedValues, IS_EXPECTED } from '../members/access.repository.ts';
import { isIn, type Place } from '../posts/activity.repository.ts';
import { PERSON_COLUMNS, type ShownPersonRow, REACTION_COLUMNS, type ReactionRow } from '../reading/rows.repository.ts';

/** The kinds the generic routes take. */
export type OpenKind = 'like' | 'pin' | 'reply';

/** What is reacted to. */
export type Target = { activityId: string } | { reactionId: string };

/** The activity `a` of a target, if it is there and belongs to the place. */
export function activityOf(place: Place, target: Target): RawBuilder<unknown> {
  return 'activityId' in target
    ? sql`activities a where a.id = ${target.activityId} and ${isIn(place)} and a.deleted_at is null`
    : sql`reactions t join activities a on a.id = t.activity_id
        where t.id = ${target.reactionId} and ${isIn(place)} and a.deleted_at is null`;
}

/** A reaction about to be changed or deleted. `isAuthorTop`: it is an owner's of the community or an administrator's. */
export type StoredReaction = {
  id: string;
  kind: OpenKind;
  authorId: string;
  isAuthorTop: boolean;
  locale: Locale;
  mentioned: string[];
};

export async function getReaction(db: Db, place: Place, id: string): Promise<StoredReaction | undefined> {
  const { rows } = await sql<StoredReaction>`
    select t.id, t.kind, t.user_id as "authorId", t.locale, t.mentioned,
      exists (select from users u where u.id = t.user_id and u.role = 'administrator') or exists (
        select from community_members m where m.community_id = a.community_id and m.user_id = t.user_id
          and m.role = 'owner' and m.status = 'active') as "isAuthorTop"
    from ${activityOf(place, { reactionId: id })} and t.deleted_at is null`.execute(db);
  return rows[0];
}

/** Locks the activity that a reaction stands under, as whatever changes a reaction does. */
export async function lockActivityOf(db: Db, place: Place, id: string): Promise<void> {
  await sql`
    select from activities where deleted_at is null and id = (select a.id from ${activityOf(place, { reactionId: id })})
    for no key update`.execute(db);
}

/** A reaction's activity and the ids above it, topmost first, with its own; those above may be deleted. */
export async function getPath(
  db: Db,
  place: Place,
  id: string,
): Promise<{ activityId: string; path: string[] } | undefined> {
  const { rows } = await sql<{ activityId: string; path: string[] }>`
    select a.id as "activityId", (
      with recursive up as (
        select t.id, t.parent_id, t.depth
        union all select r.id, r.parent_id, r.depth from reactions r join up on r.id = up.parent_id)
      select array_agg(up.id order by up.depth) from up) as path
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

/** A reaction that was just added, with the rows that are shown with it. */
export type AddedReaction = {
  reaction: Omit<ReactionRow, 'version'>;
  author: Omit<ShownPersonRow, 'version'>;
  mentioned: Omit<ShownPersonRow, 'version'>[];
};

/**
 * done, with the id of the reaction, which for a like or pin may be an earlier one, and the rows of one that is new; gone:
 * no such target; unfit: it is no reply; deep: a fourth level; outdated: the access is no longer the expected one.
 */
export type AddOutcome =
  | { outcome: 'done'; id: string; added: AddedReaction | null }
  | { outcome: 'gone' | 'unfit' | 'deep' | 'outdated'; id: null; added: null };

const TARGET_SOURCES = {
  activity: 'activities a where a.id = $4::uuid',
  reaction: 'reactions t join activities a on a.id = t.activity_id where t.id = $4::uuid',
};
const PLACE_CONDITIONS = {
  community: 'a.community_id = $5',
  lesson: 'a.lesson_key = $5',
  profile: 'a.author_id = $5 and a.community_id is null and a.lesson_key is null',
};

const additionTo = (target: keyof typeof TARGET_SOURCES, place: keyof typeof PLACE_CONDITIONS) =>
  prepared<AddOutcome>(
    () => sql<AddOutcome>`
      select case when expected.held then added.outcome else 'outdated' end as outcome, r.id,
        case when r.id = $6 then json_build_object(
          'reaction', (select row_to_json(one) from (select ${sql.raw(REACTION_COLUMNS)}) one),
          'author', (select row_to_json(author) from (
            select ${sql.raw(PERSON_COLUMNS)} from users u where u.id = r.user_id) author),
          'mentioned', (select coalesce(json_agg(row_to_json(person)), '[]') from (
            select ${sql.raw(PERSON_COLUMNS)} from users u where u.id = any(r.mentioned)) person)) end as added
      from (select ${sql.raw(IS_EXPECTED)} as held offset 0) expected
        cross join lateral add_reaction($6, case when expected.held then (
            select a.id from ${sql.raw(TARGET_SOURCES[target])} and ${sql.raw(PLACE_CONDITIONS[place])}) end,
          ${sql.raw(target === 'reaction' ? '$4' : 'null')}, $1, $7, $8, $9, $10, $11, $12, $13) added
        cross join lateral (select (added.reaction).*) r`,
  );
const additionsTo = (target: keyof typeof TARGET_SOURCES) => ({
  community: additionTo(target, 'community'),
  lesson: additionTo(target, 'lesson'),
  profile: additionTo(target, 'profile'),
});
const ADD = { activity: additionsTo('activity'), reaction: additionsTo('reaction') };

/** Adds a reaction with all that is counted about it, or finds the like or pin that is there, in one statement. */
export async function addReaction(
  db: Db,
  place: Place,
  target: Target,
  reaction: NewReaction,
  expected?: Expected,
): Promise<AddOutcome> {
  const [of, targetId] =
    'activityId' in target ? (['activity', target.activityId] as const) : (['reaction', target.reactionId] as const);
  const [where, placeId] =
    'communityId' in place
      ? (['community', place.communityId] as const)
      : 'lessonKey' in place
        ? (['lesson', place.lessonKey] as const)
        : (['profile', place.profileOf] as const);
  const [added] = await ADD[of][where](db, [
    ...expectedValues(reaction.userId, expected),
    targetId,
    placeId,
    newId(reaction.createdAt),
    reaction.kind,
    reaction.body,
    reaction.bodyHtml,
    reaction.locale,
    JSON.stringify(reaction.additionalData ?? {}),
    reaction.mentioned ?? [],
    reaction.createdAt ?? null,
  ]);
  return added!; // a function with out parameters answers one row
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
