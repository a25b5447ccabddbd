import type { ReportReason } from '@officium/contract/moderation';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '#server/access/viewer.ts';
import { actorJson, mentionedJson, readerSql } from '#server/areas/community/reader.sql.ts';
import { type Db, newId } from '#server/db/client.ts';

export type Kind = 'activity' | 'reaction';

/** A post, poll or reply of a community. */
export type ThingKey = { communityId: string; kind: Kind; id: string };

/**
 * The thing of an id that can be read, replies included: `object_id` and what a list of reports says of it. Looked up
 * for each, so that there is no reading through all that was ever written.
 */
const thing = (id: RawBuilder<unknown>) => sql`(
  select 'activity' as kind, a.id as object_id, a.id as activity_id, a.community_id, a.author_id, a.title, a.body_html,
    a.mentioned, a.locale, a.created_at
  from activities a where a.id = ${id} and a.deleted_at is null
  union all
  select 'reaction', x.id, a.id, a.community_id, x.user_id, null, x.body_html, x.mentioned, x.locale, x.created_at
  from reactions x join activities a on a.id = x.activity_id and a.deleted_at is null
  where x.id = ${id} and x.kind = 'reply' and x.deleted_at is null)`;

export async function getThing(
  db: Db,
  { communityId, kind, id }: ThingKey,
): Promise<{ activityId: string; authorId: string } | undefined> {
  const { rows } = await sql<{ activityId: string; authorId: string }>`
    select t.activity_id as "activityId", t.author_id as "authorId" from ${thing(sql`${id}::uuid`)} t
    where t.kind = ${kind} and t.community_id = ${communityId}`.execute(db);
  return rows[0];
}

export type ReportRow = {
  reason: ReportReason;
  note: string | null;
  rule: number | null;
  createdAt: Date;
  updatedAt: Date;
};

/** Adds the report a person makes of a thing, or puts it in the place of the one they made before. */
export async function putReport(
  db: Db,
  report: ThingKey & {
    activityId: string;
    userId: string;
    reason: ReportReason;
    note: string | null;
    rule?: number | null;
  },
): Promise<ReportRow> {
  const { communityId, activityId, id, userId, reason, note, rule = null } = report;
  const { rows } = await sql<ReportRow>`
    insert into content_reports as r (id, community_id, activity_id, object_id, user_id, reason, note, rule)
    values (${newId()}, ${communityId}, ${activityId}, ${id}, ${userId}, ${reason}, ${note}, ${rule})
    on conflict (user_id, object_id) do update set reason = excluded.reason, note = excluded.note, rule = excluded.rule,
      updated_at = now(), status = 'open', decided_by = null, decided_at = null, decision_reason = null, decision_note = null
    returning reason, note, rule, created_at as "createdAt", updated_at as "updatedAt"`.execute(db);
  return rows[0]!; // an upsert returns its row
}

/** The open reports of what can still be read and is not the viewer's own. */
function openReports(viewerId: string, communityId: string): RawBuilder<unknown> {
  return sql`content_reports r cross join lateral ${thing(sql`r.object_id`)} t
    where r.community_id = ${communityId} and r.status = 'open' and t.author_id <> ${viewerId}`;
}

export type ReportedRow = {
  kind: Kind;
  id: string;
  activityId: string;
  title: string | null;
  bodyHtml: string | null;
  mentionedUsers: Record<string, { id: string; name: string }>;
  locale: string;
  authorId: string;
  /** An owner of the community or an administrator. */
  isAuthorTop: boolean;
  /** The contract's Actor. */
  actor: unknown;
  createdAt: Date;
  reports: { reason: ReportReason; note: string | null; rule: number | null; createdAt: string; updatedAt: string }[];
  /** Who looks at it at the moment. */
  claim: { name: string; isOwn: boolean; until: string } | null;
};

/** What is reported in a community, that which waits longest first, and how much there is. */
export async function findReported(
  db: Db,
  viewer: Viewer & { id: string },
  page: { communityId: string; limit: number; offset: number },
): Promise<{ rows: ReportedRow[]; total: number }> {
  const open = openReports(viewer.id, page.communityId);
  const { rows } = await sql<ReportedRow>`
    select t.kind, t.object_id as id, t.activity_id as "activityId", t.title, t.body_html as "bodyHtml",
      ${sql.raw(mentionedJson('t.mentioned'))} as "mentionedUsers", t.locale, t.author_id as "authorId",
      u.role = 'administrator' or exists (
        select from community_members m where m.community_id = t.community_id and m.user_id = t.author_id
          and m.role = 'owner' and m.status = 'active') as "isAuthorTop",
      ${sql.raw(actorJson('u'))} as actor, t.created_at as "createdAt", o.reports, (
        select json_build_object('name', taker.name, 'isOwn', taker.id = v.id, 'until', k.until)
        from moderation_claims k join users taker on taker.id = k.user_id
        where k.object_id = t.object_id and k.until > now()) as claim
    from ${readerSql(viewer)} cross join (
      select r.object_id, min(r.created_at) as since, json_agg(json_build_object('reason', r.reason, 'note', r.note,
        'rule', r.rule, 'createdAt', r.created_at, 'updatedAt', r.updated_at) order by r.created_at, r.id) as reports
      from ${open} group by r.object_id order by since, r.object_id limit ${page.limit} offset ${page.offset}) o
    cross join lateral ${thing(sql`o.object_id`)} t join users u on u.id = t.author_id
    order by o.since, o.object_id`.execute(db);
  const total = await sql<{ total: number }>`
    select count(distinct r.object_id)::int as total from ${open}`.execute(db);
  return { rows, total: total.rows[0]?.total ?? 0 };
}

/** Ends the open reports of a thing and answers how many there were; who decides at the same time finds none. */
export async function endReports(
  db: Db,
  decision: {
    communityId: string;
    id: string;
    status: 'dismissed' | 'removed';
    decidedBy: string;
    reason: ReportReason | null;
    note: string | null;
  },
): Promise<number> {
  const { communityId, id, status, decidedBy, reason, note } = decision;
  const { numAffectedRows } = await sql`
    update content_reports set status = ${status}, decided_by = ${decidedBy}, decided_at = now(),
      decision_reason = ${reason}, decision_note = ${note}
    where community_id = ${communityId} and object_id = ${id} and status = 'open'`.execute(db);
  return Number(numAffectedRows ?? 0);
}
