// Raw SQL: the lateral union of posts and replies, and the SQL fragments of the community area.
import type { ArticleRef, LessonRef, ReportReason } from '@officium/contract/moderation';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '#server/access/viewer.ts';
import { joinLesson, LESSON_JSON } from '#server/areas/community/discussions/lesson.sql.ts';
import { authoredColumns, type AuthoredRow, type LocalViewer, viewerSql } from '#server/areas/community/viewer.sql.ts';
import { type Db, newId } from '#server/db/client.ts';
import { ARTICLE_JSON, isInPlace, joinArticle, type PlaceKey } from './place.sql.ts';

const NOW = sql<Date>`now()`;

export type ContentKind = 'activity' | 'reaction' | 'article';

/**
 * A post, poll or reply of a community, or outside communities (`communityId` is null) a lesson
 * discussion, a reply to one, or an article.
 */
export type ContentKey = { communityId: string | null; kind: ContentKind; id: string };

/**
 * The existing post, reply or article with this id. A lateral lookup per id: a join would scan all posts and replies. Every lesson
 * discussion has an English text.
 */
const content = (id: RawBuilder<unknown>) => sql`(
  select 'activity' as kind, a.id as object_id, a.id as activity_id, a.community_id, a.lesson_key, a.author_id, a.title,
    coalesce(a.body_html, a.body_html_map ->> 'en') as body_html, a.mentioned, a.locale, a.created_at
  from activities a where a.id = ${id} and a.deleted_at is null
  union all
  select 'reaction', x.id, a.id, a.community_id, a.lesson_key, x.user_id, null, x.body_html, x.mentioned, x.locale,
    x.created_at
  from reactions x join activities a on a.id = x.activity_id and a.deleted_at is null
  where x.id = ${id} and x.kind = 'reply' and x.deleted_at is null
  union all
  select 'article', w.id, null, null, null, w.author_id, w.title, w.body_html, '{}', w.locale, w.published_date
  from articles w where w.id = ${id} and w.withdrawn_at is null)`;

export async function getContent(
  db: Db,
  { communityId, kind, id }: ContentKey,
): Promise<{ activityId: string | null; authorId: string } | undefined> {
  const { rows } = await sql<{ activityId: string | null; authorId: string }>`
    select t.activity_id as "activityId", t.author_id as "authorId" from ${content(sql`${id}::uuid`)} t
    where t.kind = ${kind} and case
      when t.community_id is null then ${communityId}::uuid is null and (t.lesson_key is not null or t.kind = 'article')
      else t.community_id = ${communityId} end`.execute(db);
  return rows[0];
}

/** The lesson of a discussion, by slugs of the course and ids of the content platform. */
export type LessonAt = { key: string; course: { id: string; slug: string }; journeyId: string; lessonId: string };

/** The lesson under which existing content was written; undefined for other content. */
export async function getLessonOf(
  db: Db,
  { kind, id }: Pick<ContentKey, 'kind' | 'id'>,
): Promise<LessonAt | undefined> {
  const { rows } = await sql<LessonAt>`
    select l.key, json_build_object('id', k.id, 'slug', k.slug) as course, j.id as "journeyId", l.id as "lessonId"
    from ${content(sql`${id}::uuid`)} t
    join lessons l on l.key = t.lesson_key join journeys j on j.key = l.journey_key join courses k on k.id = j.course_id
    where t.kind = ${kind}`.execute(db);
  return rows[0];
}

export type ReportRow = {
  reason: ReportReason;
  note: string | null;
  rule: number | null;
  createdAt: Date;
  updatedAt: Date;
};

/** Stores a user's report of an object, replacing their earlier one. */
export async function putReport(
  db: Db,
  report: ContentKey & {
    activityId: string | null;
    userId: string;
    reason: ReportReason;
    note: string | null;
    rule?: number | null;
  },
): Promise<ReportRow> {
  const { communityId, activityId, id, userId, reason, note, rule = null } = report;
  return await db
    .insertInto('content_reports')
    .values({
      id: newId(),
      community_id: communityId,
      activity_id: activityId,
      object_id: id,
      user_id: userId,
      reason,
      note,
      rule,
    })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'object_id']).doUpdateSet((eb) => ({
        reason: eb.ref('excluded.reason'),
        note: eb.ref('excluded.note'),
        rule: eb.ref('excluded.rule'),
        updated_at: NOW,
        status: 'open',
        decided_by: null,
        decided_at: null,
        decision_reason: null,
        decision_note: null,
      })),
    )
    .returning(['reason', 'note', 'rule', 'created_at as createdAt', 'updated_at as updatedAt'])
    .$narrowType<{ reason: ReportReason }>()
    .executeTakeFirstOrThrow();
}

/** Open reports of existing content that the viewer did not write. */
function openReports(viewerId: string, place: PlaceKey): RawBuilder<unknown> {
  return sql`content_reports r cross join lateral ${content(sql`r.object_id`)} t
    where ${isInPlace(sql`r`, place)} and r.status = 'open' and t.author_id <> ${viewerId}`;
}

export type ReportedRow = AuthoredRow & {
  kind: ContentKind;
  id: string;
  activityId: string;
  title: string | null;
  bodyHtml: string | null;
  locale: string;
  /** An owner of the community or an administrator. */
  isAuthorTop: boolean;
  lesson: LessonRef;
  article: ArticleRef;
  createdAt: Date;
  reports: { reason: ReportReason; note: string | null; rule: number | null; createdAt: string; updatedAt: string }[];
  /** The moderator who has claimed the case. */
  claim: { name: string; isOwn: boolean; until: string } | null;
};

/** A page of the reported content of a community, longest waiting first, and the total. */
export async function findReported(
  db: Db,
  { viewer, locale }: LocalViewer<Viewer & { id: string }>,
  page: { place: PlaceKey; limit: number; offset: number },
): Promise<{ rows: ReportedRow[]; total: number }> {
  const open = openReports(viewer.id, page.place);
  const { rows } = await sql<ReportedRow>`
    select t.kind, t.object_id as id, coalesce(t.activity_id, t.object_id) as "activityId", t.title, t.body_html as "bodyHtml",
      t.locale, ${sql.raw(authoredColumns('t.mentioned'))},
      u.role = 'administrator' or exists (
        select from community_members m where m.community_id = t.community_id and m.user_id = t.author_id
          and m.role = 'owner' and m.status = 'active') as "isAuthorTop",
      ${LESSON_JSON} as lesson, ${ARTICLE_JSON} as article, t.created_at as "createdAt", o.reports, (
        select json_build_object('name', taker.name, 'isOwn', taker.id = v.id, 'until', k.until)
        from moderation_claims k join users taker on taker.id = k.user_id
        where k.object_id = t.object_id and k.until > now()) as claim
    from ${viewerSql(viewer, locale)} cross join (
      select r.object_id, min(r.created_at) as since, json_agg(json_build_object('reason', r.reason, 'note', r.note,
        'rule', r.rule, 'createdAt', r.created_at, 'updatedAt', r.updated_at) order by r.created_at, r.id) as reports
      from ${open} group by r.object_id order by since, r.object_id limit ${page.limit} offset ${page.offset}) o
    cross join lateral ${content(sql`o.object_id`)} t join users u on u.id = t.author_id
    ${joinLesson(sql`t.activity_id`)} ${joinArticle(sql`t`)}
    order by o.since, o.object_id`.execute(db);
  const total = await sql<{ total: number }>`
    select count(distinct r.object_id)::int as total from ${open}`.execute(db);
  return { rows, total: total.rows[0]?.total ?? 0 };
}

/** A report that was closed, with its reporter. */
export type ClosedReport = { id: string; userId: string; activityId: string | null };

/** Closes the open reports of an object and returns them; none for a concurrent second decision. */
export async function endReports(
  db: Db,
  decision: {
    id: string;
    status: 'dismissed' | 'removed';
    decidedBy: string;
    reason: ReportReason | null;
    note: string | null;
  },
): Promise<ClosedReport[]> {
  const { id, status, decidedBy, reason, note } = decision;
  return await db
    .updateTable('content_reports')
    .set({
      status,
      decided_by: decidedBy,
      decided_at: NOW,
      decision_reason: reason,
      decision_note: note,
    })
    .where('object_id', '=', id)
    .where('status', '=', 'open')
    .returning(['id', 'user_id as userId', 'activity_id as activityId'])
    .execute();
}
