// Raw SQL: unions of sums over generated weeks with calls of our SQL functions.
import { sql } from 'kysely';
import { isManager } from '#server/areas/community/members/rights.sql.ts';
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

type FigureQuery = { weeks: number; cohortId: string | undefined; courseId: string | undefined };

const FIRST = (weeks: number) => sql`(week_of(now()) - 7 * (${weeks}::int - 1))`;
const EVERYTHING = '';

/** Stored sums plus pending changes, which together are the current figures. */
function ofScope({ weeks, courseId }: FigureQuery) {
  const columns = sql`week, people, active, enrolments, lessons, journeys, certificates, posts, replies`;
  const scope = courseId ?? EVERYTHING;
  return sql`
    select ${columns} from week_figures where scope = ${scope} and week >= ${FIRST(weeks)}
    union all
    select ${columns} from figures_waiting where scope = ${scope} and week >= ${FIRST(weeks)}`;
}

/** Figures of a cohort's members. New people are counted by their join date. */
function ofCohort({ weeks, cohortId, courseId }: FigureQuery) {
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

/** Figures by week, oldest first, including empty weeks. */
export async function findFigures(db: Db, query: FigureQuery): Promise<FigureRow[]> {
  const { rows } = await sql<FigureRow>`
    select to_char(w.week, 'YYYY-MM-DD') as week, coalesce(sum(f.active), 0)::int as "activePeople",
      coalesce(sum(f.people), 0)::int as "newPeople", coalesce(sum(f.enrolments), 0)::int as enrolments,
      coalesce(sum(f.lessons), 0)::int as lessons, coalesce(sum(f.journeys), 0)::int as journeys,
      coalesce(sum(f.certificates), 0)::int as certificates, coalesce(sum(f.posts), 0)::int as posts,
      coalesce(sum(f.replies), 0)::int as replies
    from (select ${FIRST(query.weeks)} + 7 * nth as week from generate_series(0, ${query.weeks}::int - 1) nth) w
    left join (${query.cohortId === undefined ? ofScope(query) : ofCohort(query)}) f on f.week = w.week
    group by w.week order by w.week`.execute(db);
  return rows;
}

/** Resolves the cohort and course that the figures are restricted to. */
export async function getScope(
  db: Db,
  { cohort, course }: { cohort: string | undefined; course: string | undefined },
): Promise<{ hasCohort: boolean; courseId: string | null }> {
  return await db
    .selectNoFrom((eb) => [
      eb
        .exists(
          eb
            .selectFrom('cohorts')
            .select('id')
            .where('id', '=', cohort ?? null)
            .where('deleted_at', 'is', null),
        )
        .$castTo<boolean>()
        .as('hasCohort'),
      eb
        .selectFrom('courses')
        .select('id')
        .where('slug', '=', course ?? null)
        .as('courseId'),
    ])
    .executeTakeFirstOrThrow();
}

/** Adds pending changes to the sums. Long timeout, because an import can leave many. */
export async function foldFigures(db: Db): Promise<void> {
  await inTransaction(db, async (trx) => {
    await sql`set local statement_timeout = '10min'`.execute(trx);
    await sql`select fold_figures()`.execute(trx);
  });
}

/** Requests to join communities whose members nobody but administrators manages. */
const leftRequests = (db: Db) =>
  db
    .selectFrom('community_members as p')
    .select('p.user_id')
    .where('p.status', '=', 'pending')
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('community_members as m')
            .select('m.user_id')
            .whereRef('m.community_id', '=', 'p.community_id')
            .where(sql.raw<boolean>(isManager('m'))),
        ),
      ),
    );

type Waiting =
  'registrations' | 'reports' | 'appeals' | 'joinRequests' | 'answers' | 'uploads' | 'failedMails' | 'dueMails';

/** Counts pending items for administrators. Each count reads a partial index. */
export async function countWaiting(db: Db): Promise<Record<Waiting, number>> {
  return await db
    .selectNoFrom((eb) => {
      const count = sql<number>`count(*)::int`.as('count');
      const countOf = (column: 'object_id' | 'upload_id') =>
        sql<number>`count(distinct ${sql.ref(column)})::int`.as('count');
      return [
        eb
          .selectFrom('users')
          .select(count)
          .where('registration_status', '=', 'pending')
          .$asScalar()
          .$notNull()
          .as('registrations'),
        eb
          .selectFrom('content_reports')
          .select(countOf('object_id'))
          .where('status', '=', 'open')
          .$asScalar()
          .$notNull()
          .as('reports'),
        eb
          .selectFrom('cohort_upload_rows')
          .select(countOf('upload_id'))
          .where('outcome', 'is', null)
          .$asScalar()
          .$notNull()
          .as('uploads'),
        eb
          .selectFrom('moderation_decisions')
          .select(count)
          .where('appealed_at', 'is not', null)
          .where('outcome', 'is', null)
          .$asScalar()
          .$notNull()
          .as('appeals'),
        eb.selectFrom(leftRequests(db).as('left')).select(count).$asScalar().$notNull().as('joinRequests'),
        eb
          .selectFrom('assessment_attempts')
          .select(count)
          .where('submitted_at', 'is not', null)
          .where('passed', 'is', null)
          .where('lapsed_at', 'is', null)
          .$asScalar()
          .$notNull()
          .as('answers'),
        eb.selectFrom('mails').select(count).where('status', '=', 'failed').$asScalar().$notNull().as('failedMails'),
        eb
          .selectFrom('mails')
          .select(count)
          .where('status', '=', 'queued')
          .where('created_at', '<', sql<Date>`now() - interval '10 minutes'`)
          .$asScalar()
          .$notNull()
          .as('dueMails'),
      ];
    })
    .executeTakeFirstOrThrow();
}
