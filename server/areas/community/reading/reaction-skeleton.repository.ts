// Raw SQL: prepared, a hot read: a page of replies with their authors in one statement.
import type { ReactionKind } from '@officium/contract/community';
import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared, runPrepared } from '#server/db/client.ts';
import { ACCESS_COLUMNS, ACCESS_SOURCE, type CommunityAccessRow } from '../members/access.repository.ts';
import type { Place } from '../posts/activity.repository.ts';
import { activityOf, type Target } from '../reactions/reaction.repository.ts';
import { isConnectedTo, type LocalViewer, personKeys, VIEWERS, viewersValues, viewerSql } from '../viewer.sql.ts';
import type { RowKeys } from './hydrate.service.ts';
import { OWNERS } from './post-skeleton.repository.ts';
import { type KeyTuple, toKeys, type Versioned } from './row.cache.ts';

/** A reaction by its row and the rows that are shown with it. */
export type ReactionKey = Versioned & { author: Versioned; mentioned: Versioned[]; bytes: number };

/** A ReactionKey as the database returns it. */
export type ReactionTuple = [
  id: string,
  version: string,
  authorId: string,
  authorVersion: string,
  mentioned: KeyTuple[] | null,
  bytes: number,
];

export function toReactionKeys(reactions: ReactionTuple[]): ReactionKey[] {
  return reactions.map(([id, version, authorId, authorVersion, mentioned, bytes]) => ({
    id,
    version,
    author: { id: authorId, version: authorVersion },
    mentioned: toKeys(mentioned),
    bytes,
  }));
}

/** The rows that reactions are shown with. */
export const rowKeysOf = (reactions: ReactionKey[]): RowKeys => ({
  reactions,
  people: reactions.flatMap(({ author, mentioned }) => [author, ...mentioned]),
});

/** One viewer's own part of some reactions. */
export type OwnReactionPart = {
  /** Likes and pins: the reply, the kind, the reaction's id. */
  reactions: [replyId: string, kind: 'like' | 'pin', id: string][] | null;
  /** The authors with a private profile whom the viewer is connected to. */
  connected: string[] | null;
};

/** The materialised relation `page`: the rows `r` that `where` selects, numbered in their order. */
const pageSql = (where: RawBuilder<unknown>, side: Side, limit: RawBuilder<unknown>) => sql`
  page as materialized (
    select r.nth, r.id, r.version, r.user_id, u.xmin as author_version, u.visibility = 'private' as is_private,
      r.kind = 'reply' as is_reply,
      coalesce(octet_length(r.body), 0) + coalesce(octet_length(r.body_html), 0) as bytes,
      case when r.mentioned <> '{}' then ${sql.raw(personKeys('r.mentioned'))} end as mentioned
    from (
      select r.*, r.xmin as version, row_number() over (order by ${ORDER[side]}) as nth from reactions r
      where ${where} order by ${ORDER[side]} limit ${limit}) r
    join users u on u.id = r.user_id)`;

/** The reactions of `page`, as ReactionTuples. */
const REACTIONS = `(
  select coalesce(json_agg(json_build_array(page.id, page.version, page.user_id, page.author_version, page.mentioned, page.bytes)
    order by page.nth), '[]') from page)`;

/** The columns of OwnReactionPart, for a viewer `v` and the reactions of `page`. */
const OWN_COLUMNS = `(
    select json_agg(json_build_array(own.parent_id, own.kind, own.id)) from reactions own
    where own.parent_id = any(array(select page.id from page where page.is_reply)) and own.user_id = v.id
      and own.kind <> 'reply') as reactions, (
    select json_agg(page.user_id) from page where page.is_private and ${isConnectedTo('page.user_id')}) as connected`;

export type ReactionWindow = { kind: ReactionKind; limit: number; id_gt?: string; id_lt?: string };

/** From the newest on, or after or before a reaction. */
type Side = 'from' | 'after' | 'before';
const ORDER: Record<Side, RawBuilder<unknown>> = {
  from: sql`r.id desc`,
  after: sql`r.id asc`,
  before: sql`r.id desc`,
};

const sideOf = ({ id_gt, id_lt }: ReactionWindow): Side =>
  id_gt !== undefined ? 'after' : id_lt !== undefined ? 'before' : 'from';

function isInside(side: Side, edge: RawBuilder<unknown>): RawBuilder<unknown> {
  if (side === 'from') return sql`true`;
  return side === 'after' ? sql`r.id > ${edge}::uuid` : sql`r.id < ${edge}::uuid`;
}

/** One viewer's access to the community, whether the target exists, and their own part of the page. */
export type ReactionsRow = CommunityAccessRow & OwnReactionPart & { viewerId: string; isThere: boolean };
export type SharedReactionPart = { reactions: ReactionTuple[]; owners: string[] | null };
/** `shared` is a SharedReactionPart as JSON: equal texts mean equal rows. */
export type ReactionsRows = { rows: ReactionsRow[]; shared: string | undefined };

const THERE = {
  activity: sql`select a.id from activities a where a.id = $6 and a.community_id = c.id and a.deleted_at is null`,
  reaction: sql`
    select t.id from reactions t join activities a on a.id = t.activity_id
    where t.id = $6 and a.community_id = c.id and a.deleted_at is null`,
};
const isTo = (target: keyof typeof THERE, id: RawBuilder<unknown>) =>
  target === 'activity' ? sql`r.activity_id = ${id} and r.parent_id is null` : sql`r.parent_id = ${id}`;

const statementFor = (target: keyof typeof THERE, side: Side) =>
  prepared<ReactionsRow & { shared: string | null }>(() => {
    const where = sql`${isTo(target, sql`$6`)} and r.kind = $7::text and ${isInside(side, sql`$9`)}`;
    // One row more than the limit shows whether there is a next page.
    return sql<ReactionsRow & { shared: string | null }>`
      with ${pageSql(where, side, sql`$8::int + 1`)}
      select v.id as "viewerId", ${sql.raw(ACCESS_COLUMNS)}, there.id is not null as "isThere", ${sql.raw(OWN_COLUMNS)},
        case when v.nth = 1 then
          json_build_object('reactions', ${sql.raw(REACTIONS)}, 'owners', ${sql.raw(OWNERS)})::text end as shared
      from ${sql.raw(VIEWERS)} cross join ${sql.raw(ACCESS_SOURCE)} left join lateral (${THERE[target]}) there on true
      where c.slug = $5`;
  });
const statementsFor = (target: keyof typeof THERE) => ({
  from: statementFor(target, 'from'),
  after: statementFor(target, 'after'),
  before: statementFor(target, 'before'),
});
const IN_COMMUNITY = { activity: statementsFor('activity'), reaction: statementsFor('reaction') };

const toWhat = (target: Target) =>
  'activityId' in target
    ? ({ of: 'activity', id: target.activityId } as const)
    : ({ of: 'reaction', id: target.reactionId } as const);

/** A page of reactions in a community, for viewers of one group; the caller checks their access. */
export async function findCommunityReactions(
  db: Db,
  viewers: { ids: string[]; sample: LocalViewer },
  { slug, target, window }: { slug: string; target: Target; window: ReactionWindow },
): Promise<ReactionsRows> {
  const { of, id } = toWhat(target);
  const { kind, limit, id_gt, id_lt } = window;
  const edge = id_gt ?? id_lt;
  const values = [...viewersValues(viewers.ids, viewers.sample), slug, id, kind, limit, ...(edge ? [edge] : [])];
  const rows = await IN_COMMUNITY[of][sideOf(window)](db, values);
  return { rows, shared: rows.find(({ shared }) => shared !== null)?.shared ?? undefined };
}

/** Reactions for a viewer whose access to the place was checked. */
export type PlacedReactionRow = OwnReactionPart & { tuples: ReactionTuple[]; owners: string[] | null };

async function findPlaced(
  db: Db,
  localViewer: LocalViewer,
  page: RawBuilder<unknown>,
  there: RawBuilder<unknown>,
): Promise<PlacedReactionRow | undefined> {
  const [row] = await runPrepared(
    db,
    sql<PlacedReactionRow>`
      with ${page}
      select ${sql.raw(OWN_COLUMNS)}, ${sql.raw(REACTIONS)} as tuples, (
        select ${sql.raw(OWNERS)} from communities c where c.id = there.community_id) as owners
      from ${viewerSql(localViewer.viewer, localViewer.locale)} cross join (select a.community_id from ${there}) there`,
  );
  return row;
}

/** A page of reactions; undefined when the target does not exist. */
export async function findPlacedReactions(
  db: Db,
  localViewer: LocalViewer,
  { place, target, window }: { place: Place; target: Target; window: ReactionWindow },
): Promise<PlacedReactionRow | undefined> {
  const { of, id } = toWhat(target);
  const side = sideOf(window);
  const { kind, limit, id_gt, id_lt } = window;
  const where = sql`${isTo(of, sql`${id}`)} and r.kind = ${kind} and ${isInside(side, sql`${id_gt ?? id_lt}`)}`;
  return await findPlaced(db, localViewer, pageSql(where, side, sql`${limit}::int + 1`), activityOf(place, target));
}

/** One reaction, in any place. */
export async function findReaction(
  db: Db,
  localViewer: LocalViewer,
  id: string,
): Promise<PlacedReactionRow | undefined> {
  const there = sql`reactions t join activities a on a.id = t.activity_id where t.id = ${id}`;
  return await findPlaced(db, localViewer, pageSql(sql`r.id = ${id}`, 'from', sql`1`), there);
}
