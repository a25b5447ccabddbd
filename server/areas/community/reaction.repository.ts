import type { ReactionKind } from '@officium/contract/community';
import type { Locale } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '#server/access/viewer.ts';
import { type Db, newId, prepared, runPrepared } from '#server/db/client.ts';
import {
  ACCESS_COLUMNS,
  ACCESS_SOURCE,
  type AccessRow,
  type Expected,
  expectedValues,
  IS_EXPECTED,
} from './access.repository.ts';
import { isIn, type Place } from './activity.repository.ts';
import { NEW_REACTION_JSON, REACTION_JSON } from './reaction.sql.ts';
import { READER, readerSql, readerValues } from './reader.sql.ts';

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

/**
 * done, with the id of the reaction, which for a like or pin may be an earlier one, and of one that is new and mentions
 * nobody the contract's Reaction as JSON text, for its author; gone: no such target; unfit: it is no reply; deep: a
 * fourth level; outdated: the access is no longer the expected one.
 */
export type AddOutcome =
  | { outcome: 'done'; id: string; isNew: boolean; json: string | null }
  | { outcome: 'gone' | 'unfit' | 'deep' | 'outdated'; id: null; isNew: null; json: null };

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
      select case when expected.held then added.outcome else 'outdated' end as outcome, r.id, r.id = $6 as "isNew",
        case when r.id = $6 and r.mentioned = '{}' then ${sql.raw(NEW_REACTION_JSON)} end as json
      from (select ${sql.raw(IS_EXPECTED)} as held offset 0) expected
        cross join lateral add_reaction($6, case when expected.held then (
            select a.id from ${sql.raw(TARGET_SOURCES[target])} and ${sql.raw(PLACE_CONDITIONS[place])}) end,
          ${sql.raw(target === 'reaction' ? '$4' : 'null')}, $1, $7, $8, $9, $10, $11, $12, $13) added
        cross join lateral (select (added.reaction).*) r
        left join users u on u.id = r.user_id`,
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

/** The contract's Reaction as JSON text. */
export async function getReactionJson(db: Db, viewer: Viewer, id: string): Promise<string | undefined> {
  const [row] = await runPrepared(
    db,
    sql<{ json: string }>`
      select ${sql.raw(REACTION_JSON)} as json
      from ${readerSql(viewer)} cross join reactions r join users u on u.id = r.user_id
      where r.id = ${id}`,
  );
  return row?.json;
}

export type ReactionWindow = { kind: ReactionKind; limit: number; id_gt?: string; id_lt?: string };
/** A JSON array in the order of the window, null when it is empty, and the id of the last when there are more. */
export type ReactionPage = { results: string | null; last: string | null };

/** The page of a window of reactions `r` for a reader `v`. One more than asked for tells whether there is a next page. */
function pageSql(window: {
  isTarget: RawBuilder<unknown>;
  kind: RawBuilder<unknown>;
  limit: RawBuilder<unknown>;
  isForward: boolean;
  isInside: RawBuilder<unknown>;
}): RawBuilder<ReactionPage> {
  const { isTarget, kind, limit, isForward, isInside } = window;
  const order = sql.raw(isForward ? 'r.id asc' : 'r.id desc');
  return sql<ReactionPage>`
    select string_agg(${sql.raw(REACTION_JSON)}, ',' order by r.nth) filter (where r.nth <= ${limit}::int) as results,
      case when count(*) > ${limit}::int then max(case when r.nth = ${limit}::int then r.id::text end) end as last
    from (
      select r.*, row_number() over (order by ${order}) as nth from reactions r
      where ${isTarget} and r.kind = ${kind} and ${isInside}
      order by ${order} limit ${limit}::int + 1) r
    join users u on u.id = r.user_id`;
}

/** A page of reactions to an activity or to one of its reactions; undefined when what they are to is not there. */
export async function findReactions(
  db: Db,
  viewer: Viewer,
  place: Place,
  target: Target,
  window: ReactionWindow,
): Promise<ReactionPage | undefined> {
  const { kind, limit, id_gt, id_lt } = window;
  const page = pageSql({
    isTarget:
      'activityId' in target
        ? sql`r.activity_id = ${target.activityId} and r.parent_id is null`
        : sql`r.parent_id = ${target.reactionId}`,
    kind: sql`${kind}`,
    limit: sql`${limit}`,
    isForward: id_gt !== undefined,
    isInside:
      id_gt !== undefined ? sql`r.id > ${id_gt}::uuid` : id_lt !== undefined ? sql`r.id < ${id_lt}::uuid` : sql`true`,
  });
  const [row] = await runPrepared(
    db,
    sql<ReactionPage>`
      select page.* from ${readerSql(viewer)} cross join (select a.id from ${activityOf(place, target)}) there
        cross join lateral (${page}) page`,
  );
  return row;
}

/** How the viewer stands to the community, whether the target is there, and the page of reactions to it. */
export type CommunityReactionsRow = AccessRow & ReactionPage & { isThere: boolean };

const TARGETS = {
  activity: {
    there: `select a.id from activities a where a.id = $6 and a.community_id = c.id and a.deleted_at is null`,
    isTarget: 'r.activity_id = there.id and r.parent_id is null',
  },
  reaction: {
    there: `select t.id from reactions t join activities a on a.id = t.activity_id
      where t.id = $6 and a.community_id = c.id and a.deleted_at is null`,
    isTarget: 'r.parent_id = there.id',
  },
};
const SIDES = { from: 'true', after: 'r.id > $9::uuid', before: 'r.id < $9::uuid' };

const statementFor = (target: keyof typeof TARGETS, side: keyof typeof SIDES) =>
  prepared<CommunityReactionsRow>(() => {
    const page = pageSql({
      isTarget: sql.raw(TARGETS[target].isTarget),
      kind: sql.raw('$7::text'),
      limit: sql.raw('$8'),
      isForward: side === 'after',
      isInside: sql.raw(SIDES[side]),
    });
    return sql<CommunityReactionsRow>`
      select ${sql.raw(ACCESS_COLUMNS)}, there.id is not null as "isThere", page.results, page.last
      from ${sql.raw(READER)} cross join ${sql.raw(ACCESS_SOURCE)}
        left join lateral (${sql.raw(TARGETS[target].there)}) there on true
        cross join lateral (${page}) page
      where c.slug = $5`;
  });
const statementsFor = (target: keyof typeof TARGETS) => ({
  from: statementFor(target, 'from'),
  after: statementFor(target, 'after'),
  before: statementFor(target, 'before'),
});
const IN_COMMUNITY = { activity: statementsFor('activity'), reaction: statementsFor('reaction') };

/** The same in a community, with how the viewer stands to it, in one query; what they may have is for the caller to say. */
export async function findCommunityReactions(
  db: Db,
  viewer: Viewer,
  slug: string,
  target: Target,
  { kind, limit, id_gt, id_lt }: ReactionWindow,
): Promise<CommunityReactionsRow | undefined> {
  const [of, id] =
    'activityId' in target ? (['activity', target.activityId] as const) : (['reaction', target.reactionId] as const);
  const edge = id_gt ?? id_lt;
  const side = id_gt !== undefined ? 'after' : id_lt !== undefined ? 'before' : 'from';
  const values = [...readerValues(viewer, 'en'), slug, id, kind, limit, ...(edge === undefined ? [] : [edge])];
  const [row] = await IN_COMMUNITY[of][side](db, values);
  return row;
}
