import { type RawBuilder, sql } from 'kysely';

/** A day that a cohort set `p` for a course lasts until its end in UTC. */
const END = sql`(p.due_on + time '23:59:59.999') at time zone 'UTC'`;

/** The first day that cohorts of a person set for the journey `j`; no row without one. Who joined later is not late. */
export function dueDay(person: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select p.due_on, ${END} as ends_at
    from cohort_members m join cohort_products p on p.cohort_id = m.cohort_id
    where m.user_id = ${person} and p.entry_id in (j.entry_id, j.course_id) and m.joined_at < ${END}
    order by p.due_on limit 1`;
}

/** Whether a person may still learn in the journey `j` and has not completed it; they need not have begun. */
export function isUnderWay(person: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`not exists (
    select from journey_enrolments e where e.user_id = ${person} and e.journey_key = j.key
      and (e.completed_at is not null or enrolment_status(e.status, e.expires_on) <> 'enrolled'))`;
}
