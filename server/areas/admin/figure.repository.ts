import { sql } from 'kysely';
import { inTransaction, type Db } from '#server/db/client.ts';

export type FigureRow = {
  week: string;
  activePeople: number;
  newPeople: number;
  enrolments: number;
  lessons: number;
  journeys: number;
  certificates: number;
  posts: number;
  replies: number;
};

type Asked = { weeks: number; cohortId: string | undefined; courseId: string | undefined };

const FIRST = (weeks: number) => sql`(week_of(now()) - 7 * (${weeks}::int - 1))`;
const EVERYTHING = '';

/** The sums that are kept, and what waits to be added to them: together the record at this moment. */
function ofScope({ weeks, courseId }: Asked) {
  const columns = sql`week, people, active, enrolments, lessons, journeys, certificates, posts, replies`;
  const scope = courseId ?? EVERYTHING;
  return sql`
    select ${columns} from week_figures where scope = ${scope} and week >= ${FIRST(weeks)}
    union all
    select ${columns} from figures_waiting where scope = ${scope} and week >= ${FIRST(weeks)}`;
}

/** Those of its members; who is new in it is read from its members themselves. */
function ofCohort({ weeks, cohortId, courseId }: Asked) {
  const scope = courseId ?? EVERYTHING;
  return sql`
    select p.week, 0 as people, is_active_week(p.lessons, p.posts, p.replies) as active, p.enrolments, p.lessons,
      p.journeys, p.certificates, p.posts, p.replies
    from cohort_members m join person_figures p on p.user_id = m.user_id
    where m.cohort_id = ${cohortId} and p.scope = ${scope} and p.week >= ${FIRST(weeks)}
    union all
    select w.week, 0, w.active, w.enrolments, w.lessons, w.journeys, w.certificates, w.posts, w.replies
    from cohort_members m join figures_waiting w on w.user_id = m.user_id
    where m.cohort_id = ${cohortId} and w.scope = ${scope} and w.week >= ${FIRST(weeks)}
    union all
    select week_of(joined_at), count(*), 0, 0, 0, 0, 0, 0, 0 from cohort_members
    where cohort_id = ${cohortId} and joined_at >= ${FIRST(weeks)}::timestamp at time zone 'UTC' group by 1`;
}

/** By week, the oldest first, also of weeks in which nothing was. */
export async function findFigures(db: Db, asked: Asked): Promise<FigureRow[]> {
  const { rows } = await sql<FigureRow>`
    select to_char(w.week, 'YYYY-MM-DD') as week, coalesce(sum(f.active), 0)::int as "activePeople",
      coalesce(sum(f.people), 0)::int as "newPeople", coalesce(sum(f.enrolments), 0)::int as enrolments,
      coalesce(sum(f.lessons), 0)::int as lessons, coalesce(sum(f.journeys), 0)::int as journeys,
      coalesce(sum(f.certificates), 0)::int as certificates, coalesce(sum(f.posts), 0)::int as posts,
      coalesce(sum(f.replies), 0)::int as replies
    from (select ${FIRST(asked.weeks)} + 7 * nth as week from generate_series(0, ${asked.weeks}::int - 1) nth) w
    left join (${asked.cohortId === undefined ? ofScope(asked) : ofCohort(asked)}) f on f.week = w.week
    group by w.week order by w.week`.execute(db);
  return rows;
}

/** What the figures are asked of, as far as it is there. */
export async function getScope(
  db: Db,
  { cohort, course }: { cohort: string | undefined; course: string | undefined },
): Promise<{ hasCohort: boolean; courseId: string | null }> {
  const { rows } = await sql<{ hasCohort: boolean; courseId: string | null }>`
    select exists (select from cohorts where id = ${cohort ?? null}) as "hasCohort",
      (select id from courses where slug = ${course ?? null}) as "courseId"`.execute(db);
  return rows[0] ?? { hasCohort: false, courseId: null };
}

/** Adds to the sums what waits. As long as it takes: an import may have left much. */
export async function foldFigures(db: Db): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`set local statement_timeout = '10min'`.execute(trx);
    await sql`select fold_figures()`.execute(trx);
  });
}

/** What of our own tables needs a hand; each is read from an index of what waits. */
export async function countWaiting(
  db: Db,
): Promise<{ registrations: number; reports: number; uploads: number; failedMails: number }> {
  const { rows } = await sql<{ registrations: number; reports: number; uploads: number; failedMails: number }>`
    select (select count(*) from users where registration_status = 'pending')::int as registrations,
      (select count(distinct object_id) from content_reports where status = 'open')::int as reports,
      (select count(distinct upload_id) from cohort_upload_rows where outcome is null)::int as uploads,
      (select count(*) from mails where status = 'failed')::int as "failedMails"`.execute(db);
  return rows[0] ?? { registrations: 0, reports: 0, uploads: 0, failedMails: 0 };
}
