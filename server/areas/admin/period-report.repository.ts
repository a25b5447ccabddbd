// Raw SQL: one statement of aggregates over a union, in groups that vary.
import type { LocalizedText } from '@officium/contract/common';
import type { ReportGroup } from '@officium/contract/period-reports';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Bounds, Numbers } from './period-report.policy.ts';

export type ReportQuery = Bounds & {
  by: ReportGroup;
  cohortId: string | null;
  courseId: string | null;
  /** The courses or cohorts that may be named; null: all. */
  named: string[] | null;
};

/** Numbers of a group in one of the two periods; `key` null: of everybody. */
export type PeriodReportRow = Numbers & {
  key: string | null;
  name: string | null;
  title: LocalizedText | null;
  is_now: boolean;
};

const noon = (day: string) => sql`${day}::timestamp at time zone 'UTC'`;

function isCounted({ cohortId, courseId }: ReportQuery, person: string, course: string): RawBuilder<unknown> {
  const members = sql`exists (select from cohort_members x where x.cohort_id = ${cohortId} and x.user_id = ${sql.ref(person)})`;
  return sql`(${cohortId === null ? sql`true` : members}) and (${courseId === null ? sql`true` : sql`${sql.ref(course)} = ${courseId}`})`;
}

/** Counts per person in both periods; with groups by course, also per course. */
function eachOf(query: ReportQuery): RawBuilder<unknown> {
  const { before, start, end, by } = query;
  const of = by === 'course' ? sql`user_id, course_id, is_now` : sql`user_id, is_now`;
  return sql`
    acts as (
      select m.user_id, m.course_id, m.month >= ${start}::date as is_now, m.lessons, m.minutes, m.enrolments,
        m.completions, m.certificates, 0 as open
      from learning_months m
      where m.month >= ${before}::date and m.month < ${end}::date and ${isCounted(query, 'm.user_id', 'm.course_id')}
      union all
      select e.user_id, j.course_id, s.is_now, 0, 0, 0, 0, 0, 1
      from (values (true, ${noon(start)}, ${noon(end)}), (false, ${noon(before)}, ${noon(start)})) s (is_now, first, after)
      join journey_enrolments e on e.created_at < s.after and (e.completed_at is null or e.completed_at >= s.first)
        and (e.expires_on is null or e.expires_on >= s.first) and e.status in ('enrolled', 'expired')
      join journeys j on j.key = e.journey_key
      where ${isCounted(query, 'e.user_id', 'j.course_id')}),
    each as materialized (
      select ${of}, sum(lessons) as lessons, sum(minutes) as minutes, sum(enrolments) as enrolments,
        sum(completions) as completions, sum(certificates) as certificates, sum(open) as open
      from acts group by ${of})`;
}

const SUMS = sql`coalesce(sum(minutes), 0)::int as minutes, coalesce(sum(enrolments), 0)::int as enrolments,
  coalesce(sum(completions), 0)::int as completions, coalesce(sum(open), 0)::int as open,
  coalesce(sum(certificates), 0)::int as certificates`;

/** Names of groups, and the groups of `each`. A person may be in several cohorts, and a name have several spellings. */
function groupsOf({ by, named }: ReportQuery): {
  name: RawBuilder<unknown>;
  title: RawBuilder<unknown>;
  key: RawBuilder<unknown>;
  join: RawBuilder<unknown>;
} {
  const none = sql`null::text`;
  const noTitle = sql`null::jsonb`;
  const isNamed = (column: string) =>
    named === null ? sql`true` : sql`${sql.ref(column)}::text = any(${named}::text[])`;
  switch (by) {
    case 'organization':
      return {
        key: sql`coalesce(lower(trim(u.organization)), '')`,
        name: sql`mode() within group (order by nullif(trim(u.organization), ''))`,
        title: noTitle,
        join: sql`join users u on u.id = each.user_id`,
      };
    case 'country':
      return {
        key: sql`coalesce(upper(u.location ->> 'code'), '')`,
        name: none,
        title: noTitle,
        join: sql`join users u on u.id = each.user_id`,
      };
    case 'cohort':
      return {
        key: sql`k.id::text`,
        name: sql`min(k.name)`,
        title: noTitle,
        join: sql`join cohort_members m on m.user_id = each.user_id
          join cohorts k on k.id = m.cohort_id and k.deleted_at is null and ${isNamed('k.id')}`,
      };
    case 'course':
      return {
        key: sql`c.slug`,
        name: none,
        title: sql`(array_agg(c.title))[1]`,
        join: sql`join courses c on c.id = each.course_id and ${isNamed('c.id')}`,
      };
  }
}

/** Numbers of everybody and of each group in a period and the one before. */
export async function findPeriodReport(db: Db, query: ReportQuery): Promise<PeriodReportRow[]> {
  const { key, name, title, join } = groupsOf(query);
  const { rows } = await sql<PeriodReportRow>`
    with ${eachOf(query)}
    select null as key, null as name, null::jsonb as title, is_now, count(distinct user_id)::int as people,
      (count(distinct user_id) filter (where lessons > 0))::int as active, ${SUMS}
    from each group by is_now
    union all
    select ${key}, ${name}, ${title}, is_now, count(*)::int, (count(*) filter (where lessons > 0))::int, ${SUMS}
    from each ${join} group by ${key}, is_now`.execute(db);
  return rows;
}
