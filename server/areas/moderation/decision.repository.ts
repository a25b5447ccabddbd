// Raw SQL: statements built on the SQL fragments of the community area (viewer, localised text, mentions).
import type { ArticleRef, LessonRef, ReportReason } from '@officium/contract/moderation';
import { type RawBuilder, sql } from 'kysely';
import type { OpenSlugs } from '#server/access/can.ts';
import { isActivityIn } from '#server/areas/community/place.sql.ts';
import { isSeenReport, joinLesson, LESSON_JSON } from '#server/areas/community/discussions/lesson.sql.ts';
import { localText, type LocalViewer, viewerSql } from '#server/areas/community/viewer.sql.ts';
import type { Db } from '#server/db/client.ts';
import { ARTICLE_JSON, isInPlace, joinArticle, type PlaceKey, REPORTED_KIND } from './place.sql.ts';
import type { ContentKind } from './report.repository.ts';

const NOW = sql<Date>`now()`;

export type AppealState = 'none' | 'waiting' | 'upheld' | 'reversed';

export type SummaryRow = {
  id: string;
  kind: ContentKind;
  community: { slug: string; title: string } | null;
  lesson: LessonRef;
  article: ArticleRef;
  reason: ReportReason;
  decidedAt: Date;
  appeal: AppealState;
};

export const APPEAL_STATE = sql`coalesce(d.outcome, case when d.appealed_at is null then 'none' else 'waiting' end)`;
/** The community `c` as JSON, in the language of the viewer `v`. */
export const COMMUNITY_JSON = sql.raw(
  `case when c.id is not null then json_build_object('slug', c.slug, 'title', ${localText('c.title', 'c.locale')}) end`,
);
const SUMMARY = sql`d.id, d.kind, ${COMMUNITY_JSON} as community, ${LESSON_JSON} as lesson, ${ARTICLE_JSON} as article,
  d.reason, d.decided_at as "decidedAt", ${APPEAL_STATE} as appeal`;

export type DecisionRow = SummaryRow & {
  communityId: string | null;
  /** The course of a lesson discussion. */
  courseId: string | null;
  objectId: string;
  activityId: string;
  authorId: string;
  authorName: string | null;
  isAuthorTop: boolean;
  decidedBy: string;
  decidedByName: string | null;
  note: string | null;
  rule: number | null;
  ruleHtml: string | null;
  byReport: boolean;
  text: {
    title: string | null;
    bodyHtml: string | null;
    mentioned: { id: string; name: string }[];
    locale: string;
    writtenAt: string;
  } | null;
  appealUntil: Date;
  isAppealable: boolean;
  appealText: string | null;
  appealedAt: Date | null;
  outcomeNote: string | null;
  outcomeAt: Date | null;
  isRestored: boolean | null;
};

/** The removed text. A lesson discussion has a body per language: its own language is preferred. */
const TEXT = sql`case when d.held is not null then json_build_object(
  'title', d.held ->> 'title',
  'bodyHtml', coalesce(d.held ->> 'body_html', (
    select value from jsonb_each_text(case jsonb_typeof(d.held -> 'body_html_map') when 'object'
      then d.held -> 'body_html_map' else '{}' end) order by key = d.held ->> 'locale' desc limit 1)),
  'mentioned', (
    select coalesce(json_agg(json_build_object('id', m.id, 'name', m.name) order by m.id), '[]') from users m
    where m.erased_at is null and m.id in (select jsonb_array_elements_text(d.held -> 'mentioned')::uuid)),
  'locale', d.held ->> 'locale',
  'writtenAt', d.held ->> 'created_at') end`;

/** The condition that a session may use a decision `d`; articles are in no place that its token could omit. */
const isOpenDecision = (open: OpenSlugs) => sql`(d.activity_id is null or ${isActivityIn(sql`d.activity_id`, open)})`;

export async function getDecision(
  db: Db,
  reader: LocalViewer,
  query: { id: string; appealDays: number; open: OpenSlugs },
): Promise<DecisionRow | undefined> {
  const { rows } = await sql<DecisionRow>`
    select ${SUMMARY}, d.community_id as "communityId", course.id as "courseId", d.object_id as "objectId",
      coalesce(d.activity_id, d.object_id) as "activityId",
      d.author_id as "authorId", author.name as "authorName",
      coalesce(author.role = 'administrator', false) or exists (
        select from community_members m where m.community_id = d.community_id and m.user_id = d.author_id
          and m.role = 'owner' and m.status = 'active') as "isAuthorTop",
      d.decided_by as "decidedBy", moderator.name as "decidedByName", d.note, d.rule, d.rule_html as "ruleHtml",
      d.by_report as "byReport", ${TEXT} as text,
      d.decided_at + make_interval(days => ${query.appealDays}) as "appealUntil",
      d.appealed_at is null and d.decided_at + make_interval(days => ${query.appealDays}) > now() as "isAppealable",
      d.appeal_text as "appealText", d.appealed_at as "appealedAt", d.outcome_note as "outcomeNote",
      d.outcome_at as "outcomeAt", d.is_restored as "isRestored"
    from ${viewerSql(reader.viewer, reader.locale)} cross join moderation_decisions d
    left join communities c on c.id = d.community_id ${joinLesson(sql`d.activity_id`)} ${joinArticle(sql`d`)}
    left join users author on author.id = d.author_id and author.erased_at is null
    left join users moderator on moderator.id = d.decided_by and moderator.erased_at is null
    where d.id = ${query.id} and ${isOpenDecision(query.open)}`.execute(db);
  return rows[0];
}

type Page = { limit: number; offset: number };

async function page<T extends object>(
  db: Db,
  reader: LocalViewer,
  columns: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  { order, limit, offset }: Page & { order: RawBuilder<unknown> },
): Promise<{ rows: T[]; total: number }> {
  const { rows } = await sql<T>`
    select ${columns}
    from ${viewerSql(reader.viewer, reader.locale)} cross join (
      select * from moderation_decisions d where ${where} order by ${order} limit ${limit} offset ${offset}) d
    left join communities c on c.id = d.community_id ${joinLesson(sql`d.activity_id`)} ${joinArticle(sql`d`)}
    order by ${order}`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from moderation_decisions d where ${where}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** Decisions about an author's texts in the communities and courses open to the session, newest first. */
export async function findOwn(
  db: Db,
  reader: LocalViewer,
  query: Page & { authorId: string; open: OpenSlugs },
): Promise<{ rows: SummaryRow[]; total: number }> {
  const order = sql`d.decided_at desc, d.id desc`;
  const where = sql`d.author_id = ${query.authorId} and ${isOpenDecision(query.open)}`;
  return await page(db, reader, SUMMARY, where, { ...query, order });
}

export type AppealRow = SummaryRow & { appealedAt: Date; decidedBy: string };

/** Pending appeals in a place, except the viewer's own. */
export async function findAppeals(
  db: Db,
  reader: LocalViewer,
  query: Page & { place: PlaceKey; viewerId: string },
): Promise<{ rows: AppealRow[]; total: number }> {
  const where = sql`${isInPlace(sql`d`, query.place)} and d.appealed_at is not null and d.outcome is null
    and d.author_id <> ${query.viewerId}`;
  const columns = sql`${SUMMARY}, d.appealed_at as "appealedAt", d.decided_by as "decidedBy"`;
  return await page(db, reader, columns, where, { ...query, order: sql`d.appealed_at, d.id` });
}

/** Stores the reason of the newest removal of an object, in the transaction that removed it. */
export async function explainRemoval(
  db: Db,
  removal: {
    objectId: string;
    decidedBy: string;
    reason: ReportReason;
    note: string | null;
    rule: { number: number; html: string } | null;
    byReport: boolean;
  },
): Promise<void> {
  const { objectId, decidedBy, reason, note, rule, byReport } = removal;
  await db
    .updateTable('moderation_decisions')
    .set((eb) => ({
      reason,
      note,
      rule: rule?.number ?? null,
      rule_html: rule?.html ?? null,
      by_report: byReport ? true : eb.ref('by_report'),
    }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('moderation_decisions')
        .select('id')
        .where('object_id', '=', objectId)
        .where('decided_by', '=', decidedBy)
        .orderBy('decided_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1),
    )
    .execute();
}

/** Returns false when there is an appeal already, or the time to appeal has passed. */
export async function putAppeal(
  db: Db,
  appeal: { id: string; authorId: string; text: string; appealDays: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('moderation_decisions')
    .set({ appeal_text: appeal.text, appealed_at: NOW })
    .where('id', '=', appeal.id)
    .where('author_id', '=', appeal.authorId)
    .where('appealed_at', 'is', null)
    .where(({ eb, ref }) => eb(sql<Date>`${ref('decided_at')} + make_interval(days => ${appeal.appealDays})`, '>', NOW))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Locks a pending appeal while it is decided. Returns false when it is no longer pending. */
export async function lockAppeal(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('moderation_decisions')
    .select('id')
    .where('id', '=', id)
    .where('appealed_at', 'is not', null)
    .where('outcome', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

export async function putOutcome(
  db: Db,
  outcome: {
    id: string;
    outcome: 'upheld' | 'reversed';
    note: string | null;
    decidedBy: string;
    isRestored: boolean | null;
  },
): Promise<{ authorId: string; activityId: string | null }> {
  return await db
    .updateTable('moderation_decisions')
    .set({
      outcome: outcome.outcome,
      outcome_note: outcome.note,
      outcome_by: outcome.decidedBy,
      outcome_at: NOW,
      is_restored: outcome.isRestored,
    })
    .where('id', '=', outcome.id)
    .returning(['author_id as authorId', 'activity_id as activityId'])
    .executeTakeFirstOrThrow();
}

export type OwnReportRow = {
  id: string;
  kind: ContentKind;
  community: { slug: string; title: string } | null;
  lesson: LessonRef;
  article: ArticleRef;
  reason: ReportReason;
  note: string | null;
  status: 'open' | 'dismissed' | 'removed';
  createdAt: Date;
  decidedAt: Date | null;
};

/** The viewer's reports in communities they may still see and under lessons they may still read, newest first. */
export async function findOwnReports(
  db: Db,
  reader: LocalViewer<{ kind: 'user'; id: string } & LocalViewer['viewer']>,
  query: Page & { communities: string[]; journeys: string[] | null },
): Promise<{ rows: OwnReportRow[]; total: number }> {
  const { communities, journeys } = query;
  const where = sql`r.user_id = ${reader.viewer.id} and ${isSeenReport({ communities, journeys })}`;
  const { rows } = await sql<OwnReportRow>`
    select r.id, ${REPORTED_KIND} as kind, ${COMMUNITY_JSON} as community, ${LESSON_JSON} as lesson,
      case when article.withdrawn_at is null then ${ARTICLE_JSON} end as article,
      r.reason, r.note, r.status, r.created_at as "createdAt", r.decided_at as "decidedAt"
    from ${viewerSql(reader.viewer, reader.locale)} cross join content_reports r
    left join communities c on c.id = r.community_id ${joinLesson(sql`r.activity_id`)} ${joinArticle(sql`r`)}
    where ${where} order by r.updated_at desc, r.id limit ${query.limit} offset ${query.offset}`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from content_reports r ${joinLesson(sql`r.activity_id`)} where ${where}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
