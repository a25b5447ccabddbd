import type { Case, CASE_SORTS } from '@officium/contract/moderation-office';
import type { ReportReason } from '@officium/contract/moderation';
import { type RawBuilder, sql } from 'kysely';
import { type Reader, readerSql } from '#server/areas/community/reader.sql.ts';
import type { Db } from '#server/db/client.ts';
import { APPEAL_STATE, PLACE } from './decision.repository.ts';
import type { Kind } from './report.repository.ts';

/** Keeps a case for somebody; undefined while somebody else has it. */
export async function takeCase(
  db: Db,
  claim: { objectId: string; userId: string; minutes: number },
): Promise<Date | undefined> {
  const { rows } = await sql<{ until: Date }>`
    insert into moderation_claims as c (object_id, user_id, until)
    values (${claim.objectId}, ${claim.userId}, now() + make_interval(mins => ${claim.minutes}))
    on conflict (object_id) do update set user_id = excluded.user_id, until = excluded.until
    where c.user_id = excluded.user_id or c.until <= now()
    returning until`.execute(db);
  return rows[0]?.until;
}

export async function giveBackCase(db: Db, claim: { objectId: string; userId: string }): Promise<void> {
  await sql`delete from moderation_claims where object_id = ${claim.objectId} and user_id = ${claim.userId}`.execute(
    db,
  );
}

/** Ends whatever claim a case has, as its decision does; false when it is somebody else's and lasts. */
export async function closeCase(db: Db, claim: { objectId: string; userId: string }): Promise<boolean> {
  const { rows } = await sql`
    select 1 from moderation_claims where object_id = ${claim.objectId} and user_id <> ${claim.userId} and until > now()
    for update`.execute(db);
  if (rows.length > 0) return false;
  await sql`delete from moderation_claims where object_id = ${claim.objectId}`.execute(db);
  return true;
}

export type CaseQuery = {
  state: 'waiting' | 'decided';
  community?: string;
  kind?: Kind;
  reason?: ReportReason;
  sort: (typeof CASE_SORTS)[number];
  limit: number;
  offset: number;
};
export type CaseRow = Omit<Case, 'since'> & { since: Date };

const KIND = sql`case r.object_id when r.activity_id then 'activity' else 'reaction' end`;
const DECISION = sql`d.kind, d.object_id, d.activity_id, d.community_id, d.id as decision_id`;

/** Reports of what is still there, by what they are about, and appeals. */
const WAITING = sql`
  select min(${KIND}) as kind, r.object_id, r.activity_id, r.community_id, null::uuid as decision_id, 'waiting' as status,
    array_agg(distinct r.reason) as reasons, count(*)::int as reports, min(r.created_at) as since,
    null::uuid as decided_by, 'none' as appeal
  from content_reports r join activities a on a.id = r.activity_id and a.deleted_at is null
  where r.status = 'open' and (r.object_id = r.activity_id or exists (
    select from reactions x where x.id = r.object_id and x.deleted_at is null))
  group by r.object_id, r.activity_id, r.community_id
  union all
  select ${DECISION}, 'appealed', array[d.reason], 0, d.appealed_at, d.decided_by, 'waiting'
  from moderation_decisions d where d.appealed_at is not null and d.outcome is null`;

const DECIDED = sql`
  select min(${KIND}) as kind, r.object_id, r.activity_id, r.community_id, null::uuid as decision_id, 'kept' as status,
    array_agg(distinct r.reason) as reasons, count(*)::int as reports, r.decided_at as since, r.decided_by,
    'none' as appeal
  from content_reports r where r.status = 'dismissed'
  group by r.object_id, r.activity_id, r.community_id, r.decided_at, r.decided_by
  union all
  select ${DECISION}, 'removed', array[d.reason],
    (select count(*)::int from content_reports r where r.object_id = d.object_id and r.status = 'removed'), d.decided_at,
    d.decided_by, ${APPEAL_STATE}
  from moderation_decisions d`;

function filtered({ state, community, kind, reason }: CaseQuery): RawBuilder<unknown> {
  const wanted = [
    sql`true`,
    ...(community === undefined ? [] : [sql`c.slug = ${community}`]),
    ...(kind === undefined ? [] : [sql`k.kind = ${kind}`]),
    ...(reason === undefined ? [] : [sql`${reason} = any(k.reasons)`]),
  ];
  return sql`(${state === 'waiting' ? WAITING : DECIDED}) k left join communities c on c.id = k.community_id
    where ${sql.join(wanted, sql` and `)}`;
}

/** What waits, or was decided, in all communities. */
export async function findCases(db: Db, reader: Reader, query: CaseQuery): Promise<{ rows: CaseRow[]; total: number }> {
  const column = query.sort.endsWith('reports') ? sql`k.reports` : sql`k.since`;
  const order = query.sort.startsWith('-') ? sql`${column} desc, k.object_id` : sql`${column}, k.object_id`;
  const { rows } = await sql<CaseRow>`
    select k.kind, k.object_id as id, k.activity_id as "activityId", ${PLACE} as community,
      k.decision_id as "decisionId", k.status, k.reasons, k.reports, k.since, taker.name as "takenBy",
      moderator.name as "decidedBy", k.appeal
    from ${readerSql(reader.viewer, reader.locale)} cross join (
      select k.* from ${filtered(query)} order by ${order} limit ${query.limit} offset ${query.offset}) k
    left join communities c on c.id = k.community_id
    left join moderation_claims t on t.object_id = k.object_id and t.until > now() and k.status = 'waiting'
    left join users taker on taker.id = t.user_id and taker.erased_at is null
    left join users moderator on moderator.id = k.decided_by and moderator.erased_at is null
    order by ${order}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${filtered(query)}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
