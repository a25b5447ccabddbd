import type { Locale } from '@officium/contract/common';
import { chainOf } from '@officium/i18n/locales';
import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';
import { SEES_PROFILE } from '#server/access/can.ts';
import { ruleText } from '#server/access/rule.sql.ts';
import { isActive, isAdministrator, viewerId, type Viewer } from '#server/access/viewer.ts';
import type { KeyTuple } from './reading/row.cache.ts';

// Parts of the statements of this area: constant texts without parameters that read the viewer from a relation `v`
// (viewer) of one row.

/** A viewer and the language of the answer. */
export type LocalViewer<V extends Viewer = Viewer> = { viewer: V; locale: Locale };

/** The viewer as relation `v`; takes the first four parameters of the statement, `viewerValues`. */
export const VIEWER = `(select $1::uuid as id, $2::boolean as is_active, $3::boolean as is_admin, $4::text[] as locales) v`;

/** The languages to answer in, best first; at most three. */
export function localesOf(locale: Locale): string[] {
  return chainOf(locale);
}

/** The values of `VIEWER`. */
export function viewerValues(viewer: Viewer, locale: Locale): [string, boolean, boolean, string[]] {
  return [viewerId(viewer), isActive(viewer), isAdministrator(viewer), localesOf(locale)];
}

/**
 * Several viewers of one group, numbered from 1 by `nth`; takes the same four parameters, `viewersValues`. The ids are
 * in a subquery so that one plan serves any number of them.
 */
export const VIEWERS = `(
  select given.id, given.nth, $2::boolean as is_active, $3::boolean as is_admin, $4::text[] as locales
  from unnest((select $1::uuid[])) with ordinality given(id, nth)) v`;

/** The values of `VIEWERS`. `sample` is any viewer of the group, since they share all values but the id. */
export function viewersValues(ids: string[], { viewer, locale }: LocalViewer): [string[], boolean, boolean, string[]] {
  const [, ...shared] = viewerValues(viewer, locale);
  return [ids, ...shared];
}

type ViewerRow = { id: string; is_active: boolean; is_admin: boolean; locales: string[] };

/** The relation `v` for the query builder. */
export function viewerRelation(viewer: Viewer, locale: Locale = 'en'): AliasedRawBuilder<ViewerRow, 'v'> {
  const [id, active, admin, locales] = viewerValues(viewer, locale);
  return sql<ViewerRow>`(select ${id}::uuid as id, ${active}::boolean as is_active, ${admin}::boolean as is_admin,
    ${locales}::text[] as locales)`.as('v');
}

/** The relation `v` for a statement written as a template. */
export function viewerSql(viewer: Viewer, locale?: Locale): RawBuilder<unknown> {
  return sql`${viewerRelation(viewer, locale)}`;
}

/** A catalogue text in the viewer's language, else the nearest language, else any. */
export function localText(map: string, ownLocale: string): string {
  return `coalesce(${map}->>v.locales[1], ${map}->>v.locales[2], ${map}->>v.locales[3], ${map}->>${ownLocale},
    (select value from jsonb_each_text(${map}) limit 1), '')`;
}

/** The condition that the viewer is connected to the user with this id. */
export function isConnectedTo(userId: string): string {
  return `exists (select from connections
    where low_id = least(${userId}, v.id) and high_id = greatest(${userId}, v.id) and status = 'accepted')`;
}

/** The condition that the viewer sees the full profile of a row of users with this alias. */
export function showsProfile(user: string): string {
  const sees = ruleText(SEES_PROFILE, {
    isActive: 'v.is_active',
    isAdministrator: 'v.is_admin',
    isOwn: `${user}.id = v.id`,
    isShared: `${user}.visibility <> 'private'`,
    isConnected: isConnectedTo(`${user}.id`),
  });
  return `(${user}.erased_at is null and ${sees})`;
}

/** The rows of users with these ids, as KeyTuples (reading/row.cache.ts); null when there are none. */
export function personKeys(ids: string): string {
  return `(select json_agg(json_build_array(m.id, m.xmin)) from users m where m.id = any(${ids}))`;
}

/** The people of a text as one viewer sees it. `isConnected`: to the author, read for private profiles only. */
export type AuthoredRow = {
  authorId: string;
  authorVersion: string;
  isConnected: boolean;
  mentioned: KeyTuple[] | null;
};

/** The columns of an AuthoredRow, for its author `u`, the ids of those it mentions and a viewer `v`. */
export function authoredColumns(mentioned: string): string {
  return `u.id as "authorId", u.xmin::text as "authorVersion",
    u.visibility = 'private' and ${isConnectedTo('u.id')} as "isConnected", ${personKeys(mentioned)} as mentioned`;
}
