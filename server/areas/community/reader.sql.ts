import { ANONYMOUS_USER_ID, DELETED_USER_NAME, type Locale } from '@officium/contract/common';
import { chainOf } from '@officium/i18n/locales';
import { type RawBuilder, sql } from 'kysely';
import { isActive, isAdministrator, viewerId, type Viewer } from '#server/access/viewer.ts';

// What this area answers is put together as JSON by the database, in one query. These are the pieces of such queries:
// constant texts without parameters, which find the reader in a relation `v` of one row and put values nowhere else.

/** Who reads, and in which language. */
export type Reader<V extends Viewer = Viewer> = { viewer: V; locale: Locale };

/** Who reads, as the relation `v`; it takes the first four parameters of its query, `readerValues`. */
export const READER = `(select $1::uuid as id, $2::boolean as is_active, $3::boolean as is_admin, $4::text[] as locales) v`;

/** The languages a reader is answered in, the best first; never more than three. */
export function localesOf(locale: Locale): string[] {
  return chainOf(locale);
}

/** The values of `READER`. */
export function readerValues(viewer: Viewer, locale: Locale): [string, boolean, boolean, string[]] {
  return [viewerId(viewer), isActive(viewer), isAdministrator(viewer), localesOf(locale)];
}

/**
 * Readers of one kind at once, numbered from 1 by `nth`; it takes as many parameters, `readersValues`. The ids stand in a
 * query of their own, so that the planner does not plan anew for each number of them.
 */
export const READERS = `(
  select given.id, given.nth, $2::boolean as is_active, $3::boolean as is_admin, $4::text[] as locales
  from unnest((select $1::uuid[])) with ordinality given(id, nth)) v`;

/** The values of `READERS`: those of any reader of the kind, for these. */
export function readersValues(ids: string[], { viewer, locale }: Reader): [string[], boolean, boolean, string[]] {
  const [, ...kind] = readerValues(viewer, locale);
  return [ids, ...kind];
}

/** The relation `v` for a query that is written as a template. */
export function readerSql(viewer: Viewer, locale: Locale = 'en'): RawBuilder<unknown> {
  const [id, active, admin, locales] = readerValues(viewer, locale);
  return sql`(select ${id}::uuid as id, ${active}::boolean as is_active, ${admin}::boolean as is_admin, ${locales}::text[] as locales) v`;
}

/** A moment as the API writes it. */
export function timestampText(moment: string): string {
  return `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** A text of the catalogue in the reader's language, the nearest there is, or any. */
export function localText(map: string, ownLocale: string): string {
  return `coalesce(${map}->>v.locales[1], ${map}->>v.locales[2], ${map}->>v.locales[3], ${map}->>${ownLocale},
    (select value from jsonb_each_text(${map}) limit 1), '')`;
}

/** Looked up only for private profiles, which are few. */
function isConnected(user: string): string {
  return `exists (select 1 from connections
    where low_id = least(${user}.id, v.id) and high_id = greatest(${user}.id, v.id) and status = 'accepted')`;
}

/** May the reader see more than the name of a person? The table name stands for a row of users. */
export function showsProfile(user: string): string {
  return `(${user}.erased_at is null and (v.is_admin or ${user}.id = v.id
    or (v.is_active and (${user}.visibility <> 'private' or ${isConnected(user)}))))`;
}

export function personId(user: string): string {
  return `case when ${user}.erased_at is null then ${user}.id else '${ANONYMOUS_USER_ID}'::uuid end`;
}

const NAME_ONLY = { thumbnail: null, jobTitle: null, organization: null, badges: {} };
const DELETED = JSON.stringify({ id: ANONYMOUS_USER_ID, name: DELETED_USER_NAME, isDeleted: true, ...NAME_ONLY });

/** The contract's Actor, as JSON text. */
export function actorText(user: string): string {
  return `case when ${showsProfile(user)} then ${user}.actor_json when ${user}.erased_at is not null then '${DELETED}'
    else json_build_object('id', ${user}.id, 'name', ${user}.name, 'thumbnail', null,
      'jobTitle', null, 'organization', null, 'badges', '{}'::json)::text end`;
}

/** The contract's Actor. */
export function actorJson(user: string): string {
  return `(${actorText(user)})::json`;
}

/** The contract's MentionedUsers, from an array of user ids. */
export function mentionedJson(ids: string): string {
  return `case when ${ids} = '{}' then '{}'::json else coalesce((
    select json_object_agg(mentioned.id, json_build_object('id', mentioned.id, 'name', mentioned.name) order by mentioned.id)
    from users mentioned where mentioned.id = any(${ids}) and mentioned.erased_at is null), '{}'::json) end`;
}
