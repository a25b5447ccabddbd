import { sql } from 'kysely';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { dueDay, isUnderWay } from './due-day.sql.ts';

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
      from journey_enrolments e join journeys j on j.key = e.journey_key and ${IS_PUBLISHED_JOURNEY}
        cross join unnest(${REMINDED}::integer[]) day
      where e.completed_at is null and enrolment_status(e.status, e.expires_on) = 'enrolled'
        and e.expires_on > now() and e.expires_on <= now() + make_interval(days => day)
      on conflict do nothing returning split_part(name, ' ', 2)::uuid as id)
    select count(notify_person(e.user_id, 'due_date', e.id))
    from (select distinct id from due) d join journey_enrolments e on e.id = d.id`.execute(db);
}

/** For so many days after its day a course is told to be late, should no worker have run. */
const LATE_DAYS = 7;

/**
 * Tells members of cohorts that the day set for a course comes soon or has passed, once for each day and number of
 * days. What was said before and not read gives way to it, so that it is mailed anew.
 */
export async function tellCourseDays(db: Db): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ person: string; journey: string }>`
      with near as (
        select distinct m.user_id, j.key, d.due_on, d.due_on - (now() at time zone 'UTC')::date as days
        from cohort_products p
        join cohort_members m on m.cohort_id = p.cohort_id
        join lateral (
          select * from journeys where entry_id = p.entry_id union all select * from journeys where course_id = p.entry_id
        ) j on ${IS_PUBLISHED_JOURNEY}
        cross join lateral (${dueDay(sql`m.user_id`)}) d
        where p.due_on = d.due_on and ${isUnderWay(sql`m.user_id`)}
          and p.due_on between (now() at time zone 'UTC')::date - ${LATE_DAYS}::integer
            and (now() at time zone 'UTC')::date + ${Math.max(...REMINDED)}::integer),
      told as (
        insert into notification_claims (name)
        select concat_ws(' ', 'course', near.user_id, near.key, day, near.due_on)
        from near cross join unnest(${[...REMINDED, -1]}::integer[]) day
        where case when day < 0 then near.days < 0 else near.days between 0 and day end
        on conflict do nothing returning name)
      select distinct split_part(name, ' ', 2) as person, split_part(name, ' ', 3) as journey from told`.execute(trx);
    if (rows.length === 0) return;
    const pairs = sql`unnest(${rows.map(({ person }) => person)}::uuid[], ${rows.map(({ journey }) => journey)}::uuid[])
      told (person, journey)`;
    await sql`
      delete from notifications n using ${pairs}
      where n.user_id = told.person and n.event = 'due_date' and n.object_id = told.journey and n.read_at is null`.execute(
      trx,
    );
    await sql`select count(notify_person(told.person, 'due_date', told.journey)) from ${pairs}`.execute(trx);
  });
}
