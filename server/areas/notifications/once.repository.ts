import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** Whoever adds the name tells what it stands for; false for everybody after. */
export async function claim(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`
    insert into notification_claims (name) values (${name}) on conflict do nothing returning 1`.execute(db);
  return rows.length > 0;
}

/** How long after its deadline a poll is still told of, should no worker have run. */
const OUTCOME_DAYS = 7;

/** Tells the author and the voters of each poll whose deadline passed, once. */
export async function tellOutcomes(db: Db): Promise<void> {
  await sql`
    with closed as (
      insert into notification_claims (name)
      select 'poll ' || p.id from polls p join activities a on a.id = p.id and a.deleted_at is null
      where p.deadline_at <= now() and p.deadline_at > now() - make_interval(days => ${OUTCOME_DAYS})
      on conflict do nothing returning substr(name, 6)::uuid as id)
    select count(notify_person(told.person, 'poll_outcome', told.id, told.id))
    from (
      select closed.id, v.user_id as person from closed join poll_votes v on v.poll_id = closed.id
      union
      select closed.id, a.author_id from closed join activities a on a.id = closed.id) told`.execute(db);
}

/** Days before the end of a place at which its learner is told. */
const REMINDED = [7, 1];

/** Tells learners that a place ends soon, once for each end and number of days. */
export async function tellDueDates(db: Db): Promise<void> {
  await sql`
    with due as (
      insert into notification_claims (name)
      select concat_ws(' ', 'due', e.id, day, extract(epoch from e.expires_on)::bigint)
      from journey_enrolments e cross join unnest(${REMINDED}::integer[]) day
      where e.completed_at is null and enrolment_status(e.status, e.expires_on) = 'enrolled'
        and e.expires_on > now() and e.expires_on <= now() + make_interval(days => day)
      on conflict do nothing returning split_part(name, ' ', 2)::uuid as id)
    select count(notify_person(e.user_id, 'due_date', e.id))
    from (select distinct id from due) d join journey_enrolments e on e.id = d.id`.execute(db);
}
