// Raw SQL: one statement of aggregates over enrolments and completions, with medians.
import type { LocalizedText } from '@officium/contract/common';
import { INACTIVE_DAYS } from '@officium/contract/course-reports';
import { type RawBuilder, sql } from 'kysely';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import type { Db } from '#server/db/client.ts';

export type CourseReportFilter = {
  cohort?: string;
  country?: string;
  organization?: string;
  from?: string;
  to?: string;
};

export async function getReportedCourse(
  db: Db,
  { slug, cohort }: { slug: string; cohort: string | undefined },
): Promise<{ id: string; slug: string; title: LocalizedText; hasCohort: boolean } | undefined> {
  return await db
    .selectFrom('courses as c')
    .select((eb) => [
      'c.id',
      'c.slug',
      eb.ref('c.title').$castTo<LocalizedText>().as('title'),
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
    ])
    .where('c.slug', '=', slug)
    .executeTakeFirst();
}

/** A lesson of a journey with the numbers of both; a journey without lessons has one row with a null slug. */
export type CourseReportRow = {
  journey_slug: string;
  journey_title: LocalizedText;
  people: number;
  started: number;
  finished: number;
  never_started: number;
  lesson_slug: string | null;
  lesson_title: LocalizedText;
  mandatory: boolean;
  reached: number;
  completed: number;
  median_days: number | null;
  stopped: number;
  expired: number;
  withdrawn: number;
};

const INACTIVE = sql.raw(`now() - interval '${INACTIVE_DAYS} days'`);

/** People by the filter. `user_id` and `joined_at` are columns of the full join below. */
function isCounted({ cohort, country, organization, from, to }: CourseReportFilter): RawBuilder<unknown> {
  const conditions = [sql`true`];
  if (cohort !== undefined)
    conditions.push(sql`exists (select from cohort_members m where m.cohort_id = ${cohort} and m.user_id = a.user_id)`);
  if (country !== undefined)
    conditions.push(sql`exists (select from users u where u.id = a.user_id and u.location->>'code' = ${country})`);
  if (organization !== undefined)
    conditions.push(
      sql`exists (select from users u where u.id = a.user_id and lower(u.organization) = lower(${organization}))`,
    );
  const weekOf = (day: string) => sql`date_trunc('week', ${day}::timestamp) at time zone 'UTC'`;
  if (from !== undefined) conditions.push(sql`a.since >= ${weekOf(from)}`);
  if (to !== undefined) conditions.push(sql`a.since < ${weekOf(to)} + interval '7 days'`);
  return sql.join(conditions, sql` and `);
}

/** Lessons in their order; the completions of each person in a journey; and the people with what became of them. */
function peopleOf(courseId: string, filter: CourseReportFilter): RawBuilder<unknown> {
  return sql`
    shown as (
      select l.key, l.journey_key, l.slug, l.title, l.mandatory,
        row_number() over (partition by l.journey_key order by l.position, l.key) as nth
      from journeys j join lessons l on l.journey_key = j.key and l.withdrawn_at is null
      where j.course_id = ${courseId} and ${IS_PUBLISHED_JOURNEY}),
    needed as (select journey_key, count(*) as lessons from shown where mandatory group by journey_key),
    progress as (
      select l.journey_key, d.user_id, min(d.completed_at) as first_at, max(d.completed_at) as last_at,
        (array_agg(l.nth order by d.completed_at desc, l.nth desc))[1] as last_nth, max(l.nth) as far,
        count(distinct l.key) filter (where l.mandatory) as mandatory
      from shown l join lesson_completions d on d.lesson_key = l.key
      group by l.journey_key, d.user_id),
    enrolled as (
      select e.journey_key, e.user_id, e.created_at, e.completed_at,
        enrolment_status(e.status, e.expires_on) = 'expired' as is_expired
      from journeys j join journey_enrolments e on e.journey_key = j.key and e.status in ('enrolled', 'expired')
      where j.course_id = ${courseId} and ${IS_PUBLISHED_JOURNEY}),
    -- Withdrawing a person deletes the enrolment; the completions stay.
    everyone as (
      select coalesce(e.journey_key, p.journey_key) as journey_key, coalesce(e.user_id, p.user_id) as user_id,
        e.created_at as joined_at, coalesce(e.created_at, p.first_at) as since, p.last_at, p.last_nth,
        coalesce(p.far, 0) as far, coalesce(e.is_expired, false) as is_expired, e.user_id is null as is_withdrawn,
        e.completed_at is not null or (e.user_id is null and p.mandatory = n.lessons) as is_finished
      from enrolled e
      full join progress p on p.journey_key = e.journey_key and p.user_id = e.user_id
      left join needed n on n.journey_key = p.journey_key),
    counted as materialized (select * from everyone a where ${isCounted(filter)})`;
}

/** How far people get in the published journeys of a course. */
export async function findCourseReport(
  db: Db,
  courseId: string,
  filter: CourseReportFilter,
): Promise<CourseReportRow[]> {
  const { rows } = await sql<CourseReportRow>`
    with ${peopleOf(courseId, filter)},
    whole as (
      select journey_key, count(*) as people, count(*) filter (where far > 0) as started,
        count(*) filter (where is_finished) as finished,
        count(*) filter (where far = 0 and since < ${INACTIVE}) as never_started
      from counted group by journey_key),
    reached as (select journey_key, far, count(*) as people from counted group by journey_key, far),
    stopped as (
      select journey_key, last_nth, count(*) as people, count(*) filter (where is_expired) as expired,
        count(*) filter (where is_withdrawn) as withdrawn
      from counted where not is_finished and last_at < ${INACTIVE} group by journey_key, last_nth),
    completed as (
      select d.lesson_key, count(*) as people, percentile_cont(0.5) within group (
        order by greatest(extract(epoch from d.completed_at - p.joined_at) / 86400, 0)::float8) as days
      from shown l
      -- The first completion: a renewal adds another.
      join lateral (
        select l.key as lesson_key, c.user_id, min(c.completed_at) as completed_at from lesson_completions c
        where c.lesson_key = l.key group by c.user_id) d on true
      join counted p on p.journey_key = l.journey_key and p.user_id = d.user_id
      group by d.lesson_key)
    select j.slug as journey_slug, j.title as journey_title, coalesce(w.people, 0)::int as people,
      coalesce(w.started, 0)::int as started, coalesce(w.finished, 0)::int as finished,
      coalesce(w.never_started, 0)::int as never_started, l.slug as lesson_slug, l.title as lesson_title, l.mandatory,
      (select coalesce(sum(r.people), 0)::int from reached r where r.journey_key = j.key and r.far >= l.nth - 1) as reached,
      coalesce(c.people, 0)::int as completed, c.days as median_days, coalesce(s.people, 0)::int as stopped,
      coalesce(s.expired, 0)::int as expired, coalesce(s.withdrawn, 0)::int as withdrawn
    from journeys j
    left join whole w on w.journey_key = j.key
    left join shown l on l.journey_key = j.key
    left join completed c on c.lesson_key = l.key
    left join stopped s on s.journey_key = j.key and s.last_nth = l.nth
    where j.course_id = ${courseId} and ${IS_PUBLISHED_JOURNEY}
    order by j.position, j.key, l.nth`.execute(db);
  return rows;
}
