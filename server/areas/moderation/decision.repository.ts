import type { ReportReason } from '@officium/contract/moderation';
import { type RawBuilder, sql } from 'kysely';
import type { OpenSlugs } from '#server/access/can.ts';
import { isActivityIn } from '#server/areas/community/place.sql.ts';
import { localText, mentionedJson, type Reader, readerSql } from '#server/areas/community/reader.sql.ts';
import type { Db } from '#server/db/client.ts';
import type { Kind } from './report.repository.ts';

export type AppealState = 'none' | 'waiting' | 'upheld' | 'reversed';

export type SummaryRow = {
  id: string;
  kind: Kind;
  community: { slug: string; title: string } | null;
  reason: ReportReason;
  decidedAt: Date;
  appeal: AppealState;
};

export const APPEAL_STATE = sql`coalesce(d.outcome, case when d.appealed_at is null then 'none' else 'waiting' end)`;
/** The community `c` as an object, in the language of the reader `v`. */
export const PLACE = sql.raw(
  `case when c.id is not null then json_build_object('slug', c.slug, 'title', ${localText('c.title', 'c.locale')}) end`,
);
const SUMMARY = sql`d.id, d.kind, ${PLACE} as community, d.reason, d.decided_at as "decidedAt", ${APPEAL_STATE} as appeal`;

export type DecisionRow = SummaryRow & {
  communityId: string | null;
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
    mentionedUsers: Record<string, { id: string; name: string }>;
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

/** A text under a lesson has one body for each language: any will do. */
const TEXT = sql`case when d.held is not null then json_build_object(
  'title', d.held ->> 'title',
  'bodyHtml', coalesce(d.held ->> 'body_html', (
    select value from jsonb_each_text(case jsonb_typeof(d.held -> 'body_html_map') when 'object'
      then d.held -> 'body_html_map' else '{}' end) order by key = d.held ->> 'locale' desc limit 1)),
  'mentionedUsers', ${sql.raw(mentionedJson(`(array(select jsonb_array_elements_text(d.held -> 'mentioned')::uuid))`))},
  'locale', d.held ->> 'locale',
  'writtenAt', d.held ->> 'created_at') end`;

export async function getDecision(
  db: Db,
  reader: Reader,
  asked: { id: string; appealDays: number; open: OpenSlugs },
): Promise<DecisionRow | undefined> {
  const { rows } = await sql<DecisionRow>`
    select ${SUMMARY}, d.community_id as "communityId", d.object_id as "objectId", d.activity_id as "activityId",
      d.author_id as "authorId", author.name as "authorName",
      coalesce(author.role = 'administrator', false) or exists (
        select from community_members m where m.community_id = d.community_id and m.user_id = d.author_id
          and m.role = 'owner' and m.status = 'active') as "isAuthorTop",
      d.decided_by as "decidedBy", moderator.name as "decidedByName", d.note, d.rule, d.rule_html as "ruleHtml",
      d.by_report as "byReport", ${TEXT} as text,
      d.decided_at + make_interval(days => ${asked.appealDays}) as "appealUntil",
      d.appealed_at is null and d.decided_at + make_interval(days => ${asked.appealDays}) > now() as "isAppealable",
      d.appeal_text as "appealText", d.appealed_at as "appealedAt", d.outcome_note as "outcomeNote",
      d.outcome_at as "outcomeAt", d.is_restored as "isRestored"
    from ${readerSql(reader.viewer, reader.locale)} cross join moderation_decisions d
    left join communities c on c.id = d.community_id
    left join users author on author.id = d.author_id and author.erased_at is null
    left join users moderator on moderator.id = d.decided_by and moderator.erased_at is null
    where d.id = ${asked.id} and ${isActivityIn(sql`d.activity_id`, asked.open)}`.execute(db);
  return rows[0];
}

type Page = { limit: number; offset: number };

async function page<T extends object>(
  db: Db,
  reader: Reader,
  columns: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  { order, limit, offset }: Page & { order: RawBuilder<unknown> },
): Promise<{ rows: T[]; total: number }> {
  const { rows } = await sql<T>`
    select ${columns}
    from ${readerSql(reader.viewer, reader.locale)} cross join (
      select * from moderation_decisions d where ${where} order by ${order} limit ${limit} offset ${offset}) d
    left join communities c on c.id = d.community_id
    order by ${order}`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from moderation_decisions d where ${where}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** A person's removed posts in the places open to their session, newest first. */
export async function findOwn(
  db: Db,
  reader: Reader,
  asked: Page & { authorId: string; open: OpenSlugs },
): Promise<{ rows: SummaryRow[]; total: number }> {
  const order = sql`d.decided_at desc, d.id desc`;
  const where = sql`d.author_id = ${asked.authorId} and ${isActivityIn(sql`d.activity_id`, asked.open)}`;
  return await page(db, reader, SUMMARY, where, { ...asked, order });
}

export type AppealRow = SummaryRow & { appealedAt: Date; decidedBy: string };

/** Appeals that wait in a community, not those of the viewer. */
export async function findAppeals(
  db: Db,
  reader: Reader,
  asked: Page & { communityId: string; viewerId: string },
): Promise<{ rows: AppealRow[]; total: number }> {
  const where = sql`d.community_id = ${asked.communityId} and d.appealed_at is not null and d.outcome is null
    and d.author_id <> ${asked.viewerId}`;
  const columns = sql`${SUMMARY}, d.appealed_at as "appealedAt", d.decided_by as "decidedBy"`;
  return await page(db, reader, columns, where, { ...asked, order: sql`d.appealed_at, d.id` });
}

/** Says why the newest removal of a thing was made, in the transaction that made it. */
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
  await sql`
    update moderation_decisions set reason = ${reason}, note = ${note}, rule = ${rule?.number ?? null},
      rule_html = ${rule?.html ?? null}, by_report = by_report or ${byReport}
    where id = (select id from moderation_decisions where object_id = ${objectId} and decided_by = ${decidedBy}
      order by decided_at desc, id desc limit 1)`.execute(db);
}

/** False when there is an appeal, or it is too late. */
export async function putAppeal(
  db: Db,
  appeal: { id: string; authorId: string; text: string; appealDays: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update moderation_decisions set appeal_text = ${appeal.text}, appealed_at = now()
    where id = ${appeal.id} and author_id = ${appeal.authorId} and appealed_at is null
      and decided_at + make_interval(days => ${appeal.appealDays}) > now()`.execute(db);
  return numAffectedRows === 1n;
}

/** Takes the lock under which an appeal is decided; false when none waits any more. */
export async function lockAppeal(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from moderation_decisions where id = ${id} and appealed_at is not null and outcome is null
    for update`.execute(db);
  return rows.length > 0;
}

/** Puts back what a decision removed; false where it has no place any more. */
export async function restore(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql<{ isBack: boolean }>`select restore_removed(${id}) as "isBack"`.execute(db);
  return rows[0]?.isBack ?? false;
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
): Promise<void> {
  await sql`
    update moderation_decisions set outcome = ${outcome.outcome}, outcome_note = ${outcome.note},
      outcome_by = ${outcome.decidedBy}, outcome_at = now(), is_restored = ${outcome.isRestored}
    where id = ${outcome.id}`.execute(db);
}

export type OwnReportRow = {
  id: string;
  kind: Kind;
  community: { slug: string; title: string } | null;
  reason: ReportReason;
  note: string | null;
  status: 'open' | 'dismissed' | 'removed';
  createdAt: Date;
  decidedAt: Date | null;
};

/** What a person reported, newest first, in communities they may still know of. */
export async function findOwnReports(
  db: Db,
  reader: Reader<{ kind: 'user'; id: string } & Reader['viewer']>,
  asked: Page & { communities: string[] },
): Promise<{ rows: OwnReportRow[]; total: number }> {
  const where = sql`r.user_id = ${reader.viewer.id} and r.community_id = any(${asked.communities}::uuid[])`;
  const { rows } = await sql<OwnReportRow>`
    select r.id, case r.object_id when r.activity_id then 'activity' else 'reaction' end as kind, ${PLACE} as community,
      r.reason, r.note, r.status, r.created_at as "createdAt", r.decided_at as "decidedAt"
    from ${readerSql(reader.viewer, reader.locale)} cross join content_reports r
    join communities c on c.id = r.community_id
    where ${where} order by r.updated_at desc, r.id limit ${asked.limit} offset ${asked.offset}`.execute(db);
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from content_reports r where ${where}`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}
