// Raw SQL: the list of cases is a union with grouped parts, filters and orders chosen at run time.
import type { Case, CASE_SORTS } from '@officium/contract/moderation-office';
import type { ReportReason } from '@officium/contract/moderation';
import { type RawBuilder, sql } from 'kysely';
import { joinLesson, LESSON_JSON } from '#server/areas/community/discussions/lesson.sql.ts';
import { IS_REPORTED_THERE } from '#server/areas/community/moderators.sql.ts';
import { type LocalViewer, viewerSql } from '#server/areas/community/viewer.sql.ts';
import type { Db } from '#server/db/client.ts';
import { APPEAL_STATE, COMMUNITY_JSON } from './decision.repository.ts';
import { ARTICLE_JSON, joinArticle, REPORTED_KIND } from './place.sql.ts';
import type { ContentKind } from './report.repository.ts';

const NOW = sql<Date>`now()`;

/** Claims a case, or extends the claim. Returns its end; undefined while another moderator's claim lasts. */
export async function putClaim(
  db: Db,
  claim: { objectId: string; userId: string; minutes: number },
): Promise<Date | undefined> {
  const row = await db
    .insertInto('moderation_claims')
    .values({
      object_id: claim.objectId,
      user_id: claim.userId,
      until: sql<Date>`now() + make_interval(mins => ${claim.minutes})`,
    })
    .onConflict((conflict) =>
      conflict
        .column('object_id')
        .doUpdateSet((eb) => ({ user_id: eb.ref('excluded.user_id'), until: eb.ref('excluded.until') }))
        .where((eb) =>
          eb.or([
            eb('moderation_claims.user_id', '=', eb.ref('excluded.user_id')),
            eb('moderation_claims.until', '<=', NOW),
          ]),
        ),
    )
    .returning('until')
    .executeTakeFirst();
  return row?.until;
}

export async function deleteClaim(db: Db, claim: { objectId: string; userId: string }): Promise<void> {
  await db
    .deleteFrom('moderation_claims')
    .where('object_id', '=', claim.objectId)
    .where('user_id', '=', claim.userId)
    .execute();
}

/** Ends the claim of a case that is being decided. Returns false while another moderator's claim lasts. */
export async function closeClaim(db: Db, claim: { objectId: string; userId: string }): Promise<boolean> {
  const ofAnother = await db
    .selectFrom('moderation_claims')
    .select('object_id')
    .where('object_id', '=', claim.objectId)
    .where('user_id', '<>', claim.userId)
    .where('until', '>', NOW)
    .forUpdate()
    .executeTakeFirst();
  if (ofAnother) return false;
  await db.deleteFrom('moderation_claims').where('object_id', '=', claim.objectId).execute();
  return true;
}

export type CaseQuery = {
  state: 'waiting' | 'decided';
  community?: string;
  /** Only cases of these communities and under the lessons of these courses; null: all cases. */
  places: { communities: string[]; courses: string[] } | null;
  course?: string;
  kind?: ContentKind;
  reason?: ReportReason;
  sort: (typeof CASE_SORTS)[number];
  limit: number;
  offset: number;
};
export type CaseRow = Omit<Case, 'since'> & { since: Date };

const DECISION = sql`d.kind, d.object_id, d.activity_id, d.community_id, d.id as decision_id`;

/** Open reports of existing content, grouped by object, and pending appeals. */
const WAITING = sql`
  select min(${REPORTED_KIND}) as kind, r.object_id, r.activity_id, r.community_id, null::uuid as decision_id, 'waiting' as status,
    array_agg(distinct r.reason) as reasons, count(*)::int as reports, min(r.created_at) as since,
    null::uuid as decided_by, 'none' as appeal
  from content_reports r where r.status = 'open' and ${IS_REPORTED_THERE}
  group by r.object_id, r.activity_id, r.community_id
  union all
  select ${DECISION}, 'appealed', array[d.reason], 0, d.appealed_at, d.decided_by, 'waiting'
  from moderation_decisions d where d.appealed_at is not null and d.outcome is null`;

const DECIDED = sql`
  select min(${REPORTED_KIND}) as kind, r.object_id, r.activity_id, r.community_id, null::uuid as decision_id, 'kept' as status,
    array_agg(distinct r.reason) as reasons, count(*)::int as reports, r.decided_at as since, r.decided_by,
    'none' as appeal
  from content_reports r where r.status = 'dismissed'
  group by r.object_id, r.activity_id, r.community_id, r.decided_at, r.decided_by
  union all
  select ${DECISION}, 'removed', array[d.reason],
    (select count(*)::int from content_reports r where r.object_id = d.object_id and r.status = 'removed'), d.decided_at,
    d.decided_by, ${APPEAL_STATE}
  from moderation_decisions d`;

/** The condition that a case `k` is about a lesson discussion of the course. */
const isUnderCourse = (slug: string) => sql`exists (
  select from activities placed join lessons l on l.key = placed.lesson_key join journeys j on j.key = l.journey_key
    join courses o on o.id = j.course_id where placed.id = k.activity_id and o.slug = ${slug})`;

const isInPlaces = ({ communities, courses }: NonNullable<CaseQuery['places']>) => sql`(
  k.community_id = any(${communities}::uuid[]) or k.community_id is null and exists (
    select from activities placed join lessons l on l.key = placed.lesson_key join journeys j on j.key = l.journey_key
    where placed.id = k.activity_id and j.course_id = any(${courses}::text[])))`;

function filtered({ state, community, places, course, kind, reason }: CaseQuery): RawBuilder<unknown> {
  const conditions = [
    sql`true`,
    ...(community === undefined ? [] : [sql`c.slug = ${community}`]),
    ...(places === null ? [] : [isInPlaces(places)]),
    ...(course === undefined ? [] : [isUnderCourse(course)]),
    ...(kind === undefined ? [] : [sql`k.kind = ${kind}`]),
    ...(reason === undefined ? [] : [sql`${reason} = any(k.reasons)`]),
  ];
  return sql`(${state === 'waiting' ? WAITING : DECIDED}) k left join communities c on c.id = k.community_id
    where ${sql.join(conditions, sql` and `)}`;
}

/** A page of the waiting or decided cases of all communities, and the total. */
export async function findCases(
  db: Db,
  reader: LocalViewer,
  query: CaseQuery,
): Promise<{ rows: CaseRow[]; total: number }> {
  const column = query.sort.endsWith('reports') ? sql`k.reports` : sql`k.since`;
  const order = query.sort.startsWith('-') ? sql`${column} desc, k.object_id` : sql`${column}, k.object_id`;
  const { rows } = await sql<CaseRow>`
    select k.kind, k.object_id as id, coalesce(k.activity_id, k.object_id) as "activityId", ${COMMUNITY_JSON} as community,
      ${LESSON_JSON} as lesson, ${ARTICLE_JSON} as article, k.decision_id as "decisionId", k.status, k.reasons, k.reports, k.since, taker.name as "takenBy",
      moderator.name as "decidedBy", k.appeal
    from ${viewerSql(reader.viewer, reader.locale)} cross join (
      select k.* from ${filtered(query)} order by ${order} limit ${query.limit} offset ${query.offset}) k
    left join communities c on c.id = k.community_id ${joinLesson(sql`k.activity_id`)} ${joinArticle(sql`k`)}
    left join moderation_claims t on t.object_id = k.object_id and t.until > now() and k.status = 'waiting'
    left join users taker on taker.id = t.user_id and taker.erased_at is null
    left join users moderator on moderator.id = k.decided_by and moderator.erased_at is null
    order by ${order}`.execute(db);
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${filtered(query)}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
