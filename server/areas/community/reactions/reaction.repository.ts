// Raw SQL: adding is prepared, a hot write of one statement with numbered values; ancestors are found by recursion.
import type { Locale } from '@officium/contract/common';
import { type RawBuilder, sql } from 'kysely';
import { type Db, newId, NOW, prepared } from '#server/db/client.ts';
import { type Expected, expectedValues, IS_EXPECTED } from '../members/access.repository.ts';
import { isTop } from '../members/rights.sql.ts';
import { type MentionEdit, NOTIFY_OF_REPLY, notifyOfEdit } from '../notice.sql.ts';
import { isIn, type Place } from '../posts/activity.repository.ts';
import { PERSON_COLUMNS, type ShownPersonRow, REACTION_COLUMNS, type ReactionRow } from '../reading/rows.repository.ts';

/** The kinds of reaction that the generic routes accept. */
export type OpenKind = 'like' | 'pin' | 'reply';

/** The target of a reaction. */
export type Target = { activityId: string } | { reactionId: string };

/** The activity `a` of a target, if it exists in the place. */
export function activityOf(place: Place, target: Target): RawBuilder<unknown> {
  return 'activityId' in target
    ? sql`activities a where a.id = ${target.activityId} and ${isIn(place)} and a.deleted_at is null`
    : sql`reactions t join activities a on a.id = t.activity_id
        where t.id = ${target.reactionId} and ${isIn(place)} and a.deleted_at is null`;
}

/** The reaction `t` with this id and its activity `a`, if that exists in the place. */
function reactionIn(db: Db, place: Place, id: string) {
  return db
    .selectFrom('reactions as t')
    .innerJoin('activities as a', 'a.id', 't.activity_id')
    .where('t.id', '=', id)
    .where(isIn(place))
    .where('a.deleted_at', 'is', null);
}

/**
 * A reaction about to be changed or deleted. `isAuthorTop`: its author is an owner of the community or an
 * administrator.
 */
export type StoredReaction = {
  id: string;
  activityId: string;
  kind: OpenKind;
  authorId: string;
  isAuthorTop: boolean;
  locale: Locale;
  mentioned: string[];
};

export async function getReaction(db: Db, place: Place, id: string): Promise<StoredReaction | undefined> {
  return await reactionIn(db, place, id)
    .select((eb) => [
      't.id',
      't.activity_id as activityId',
      't.kind',
      't.user_id as authorId',
      't.locale',
      't.mentioned',
      eb
        .selectFrom('users as u')
        .select(sql<boolean>`${sql.raw(isTop('u', 'a.community_id'))}`.as('top'))
        .whereRef('u.id', '=', 't.user_id')
        .$asScalar()
        .$notNull()
        .as('isAuthorTop'),
    ])
    .where('t.deleted_at', 'is', null)
    .$narrowType<{ kind: OpenKind; locale: Locale }>()
    .executeTakeFirst();
}

/** Locks the activity of a reaction, as every change of a reaction does. */
export async function lockActivityOf(db: Db, place: Place, id: string): Promise<void> {
  await db
    .selectFrom('activities')
    .select('id')
    .where('deleted_at', 'is', null)
    .where('id', '=', reactionIn(db, place, id).select('a.id'))
    .forNoKeyUpdate()
    .execute();
}

/** A reaction's activity and the ids of its ancestors, topmost first, with its own; ancestors may be deleted. */
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
  /** Set for imported reactions; now when left out. */
  createdAt?: Date;
};

/** A reaction that was just added, with the rows that are shown with it. */
export type AddedReaction = {
  reaction: Omit<ReactionRow, 'version'>;
  author: Omit<ShownPersonRow, 'version'>;
  mentioned: Omit<ShownPersonRow, 'version'>[];
};

/**
 * done: the id of the reaction (an earlier one for a repeated like or pin), and the rows of a new one; gone: the target
 * is missing; unfit: the target is no reply; deep: below the depth limit; outdated: the access is no longer the
 * expected one.
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

const additionTo = (
  target: keyof typeof TARGET_SOURCES,
  place: keyof typeof PLACE_CONDITIONS,
  notices: RawBuilder<unknown>,
) =>
  prepared<AddOutcome>(
    () => sql<AddOutcome>`
      with added as materialized (
        select case when expected.held then made.outcome else 'outdated' end as outcome, made.reaction
        from (select ${sql.raw(IS_EXPECTED)} as held offset 0) expected
          cross join lateral add_reaction($6, case when expected.held then (
              select a.id from ${sql.raw(TARGET_SOURCES[target])} and ${sql.raw(PLACE_CONDITIONS[place])}) end,
            ${sql.raw(target === 'reaction' ? '$4' : 'null')}, $1, $7, $8, $9, $10, $11, $12, $13) made),
      r as materialized (select (added.reaction).* from added)${notices}
      select added.outcome, r.id,
        case when r.id = $6 then json_build_object(
          'reaction', (select row_to_json(one) from (select ${sql.raw(REACTION_COLUMNS)}) one),
          'author', (select row_to_json(author) from (
            select ${sql.raw(PERSON_COLUMNS)} from users u where u.id = r.user_id) author),
          'mentioned', (select coalesce(json_agg(row_to_json(person)), '[]') from (
            select ${sql.raw(PERSON_COLUMNS)} from users u where u.id = any(r.mentioned)) person)) end as added
      from added cross join r`,
  );
const additionsTo = (target: keyof typeof TARGET_SOURCES, notices: RawBuilder<unknown>) => ({
  community: additionTo(target, 'community', notices),
  lesson: additionTo(target, 'lesson', notices),
  profile: additionTo(target, 'profile', notices),
});
const additions = (notices: RawBuilder<unknown>) => ({
  activity: additionsTo('activity', notices),
  reaction: additionsTo('reaction', notices),
});
const ADD = additions(sql``);
const ADD_REPLY = additions(sql`, noticed as (${NOTIFY_OF_REPLY})`);

/** Adds a reaction and updates all counters, or finds an existing like or pin, in one statement. */
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
  const [added] = await (reaction.kind === 'reply' ? ADD_REPLY : ADD)[of][where](db, [
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
  return added!; // a function with out parameters returns one row
}

/** Replaces the content of a reply and notifies the people it adds; false when it was deleted meanwhile. */
export async function updateReaction(
  db: Db,
  reaction: {
    id: string;
    body: string;
    bodyHtml: string | null;
    locale: Locale;
    /** undefined: unchanged. */
    additionalData: object | undefined;
    mentioned: string[];
  },
  mentions: Omit<MentionEdit, 'id'>,
): Promise<boolean> {
  const { id, body, bodyHtml, locale, mentioned, additionalData } = reaction;
  const edit = db
    .updateTable('reactions')
    .set({ body, body_html: bodyHtml, locale, mentioned, updated_at: NOW, edited_at: NOW })
    .$if(additionalData !== undefined, (qb) => qb.set({ additional_data: JSON.stringify(additionalData) }))
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  if (mentions.added.length === 0) return (await edit.executeTakeFirstOrThrow()).numUpdatedRows === 1n;
  const stored = await db
    .with('edited', () => edit.returning('id'))
    .with('noticed', () => sql<Record<string, never>>`(${notifyOfEdit({ id, ...mentions }, sql`cross join edited`)})`)
    .selectFrom('edited')
    .select('id')
    .executeTakeFirst();
  return stored !== undefined;
}

/** Deletes a reaction and updates all counters, in one statement; false when it was deleted meanwhile. */
export async function deleteReaction(db: Db, reaction: { id: string; deletedBy: string }): Promise<boolean> {
  const { rows } = await sql<{ outcome: 'done' | 'gone' }>`
    select outcome from delete_reaction(${reaction.id}, ${reaction.deletedBy})`.execute(db);
  return rows[0]?.outcome === 'done';
}
