import { type RawBuilder, sql } from 'kysely';

/** The due day of the cohort product `p` ends at midnight UTC. */
const END = sql`(p.due_on + time '23:59:59.999') at time zone 'UTC'`;

/** The earliest due day that a person's cohorts set for the journey `j`. Days before the person joined do not count. */
export function dueDay(person: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select p.due_on, ${END} as ends_at
    from cohort_members m join cohort_products p on p.cohort_id = m.cohort_id
    where m.user_id = ${person} and p.entry_id in (j.entry_id, j.course_id) and m.joined_at < ${END}
    order by p.due_on limit 1`;
}

/** True unless the person has completed the journey `j` or has an enrolment in it that is not current. */
export function isUnderWay(person: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`not exists (
    select from journey_enrolments e where e.user_id = ${person} and e.journey_key = j.key
      and (e.completed_at is not null or enrolment_status(e.status, e.expires_on) <> 'enrolled'))`;
}
