// Raw SQL: each statement inserts claims and notifies for the rows it inserted, so that concurrent workers notify once.
import { sql } from 'kysely';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { EXPIRES, RENEWABLE_FROM, RENEWAL_DAYS } from '#server/areas/certificates/validity.sql.ts';
import { evaluationState } from '#server/areas/learner/evaluation.repository.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { insertNotices, notify } from '#server/notify/notify.ts';
import { dueDay, isUnderWay } from './due-day.sql.ts';

/** Claims a notification by name. Returns true for the first caller only. */
export async function claim(db: Db, name: string): Promise<boolean> {
  const row = await db
    .insertInto('notification_claims')
    .values({ name })
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

/** Days after its deadline in which a poll's outcome is still announced, for when no worker ran. */
const OUTCOME_DAYS = 7;

/** Notifies the author and the voters of each closed poll, once. */
export async function notifyPollOutcomes(db: Db): Promise<void> {
  await sql`
    with closed as (
      insert into notification_claims (name)
      select 'poll ' || p.id from polls p join activities a on a.id = p.id and a.deleted_at is null
      where p.deadline_at <= now() and p.deadline_at > now() - make_interval(days => ${OUTCOME_DAYS})
      on conflict do nothing returning substr(name, 6)::uuid as id)
    ${insertNotices(sql`(
      select recipient.person as user_id, 'poll_outcome' as event, recipient.id as object_id, recipient.id as activity_id,
        null::uuid as since_id
      from (
        select closed.id, v.user_id as person from closed join poll_votes v on v.poll_id = closed.id
        union
        select closed.id, a.author_id from closed join activities a on a.id = closed.id) recipient)`)}`.execute(db);
}

/** Days before the end of an enrolment at which its learner is reminded. */
const REMINDER_DAYS = [7, 1];

/** Reminds learners that an enrolment ends soon, once per end date and number of days. */
export async function notifyEnrolmentEnds(db: Db): Promise<void> {
  await sql`
    with due as (
      insert into notification_claims (name)
      select concat_ws(' ', 'due', e.id, day, extract(epoch from e.expires_on)::bigint)
      from journey_enrolments e join journeys j on j.key = e.journey_key and ${IS_PUBLISHED_JOURNEY}
        cross join unnest(${REMINDER_DAYS}::integer[]) day
      where is_under_way(e) and enrolment_status(e.status, e.expires_on) = 'enrolled'
        and e.expires_on > now() and e.expires_on <= now() + make_interval(days => day)
      on conflict do nothing returning split_part(name, ' ', 2)::uuid as id)
    ${insertNotices(sql`(
      select e.user_id, 'due_date' as event, e.id as object_id, null::uuid as activity_id, null::uuid as since_id
      from (select distinct id from due) d join journey_enrolments e on e.id = d.id)`)}`.execute(db);
}

/** Days after completing a journey in which its learner is reminded of the evaluation, from the second day on. */
const EVALUATION_DAYS = 7;

/** Reminds learners, once, of the evaluation of a journey that they were offered at its end. */
export async function notifyEvaluations(db: Db): Promise<void> {
  await sql`
    with offered as (
      insert into notification_claims (name)
      select concat_ws(' ', 'evaluation', e.id)
      from journey_enrolments e join journeys j on j.key = e.journey_key and ${IS_PUBLISHED_JOURNEY}
      where e.completed_at < now() - interval '1 day' and e.completed_at > now() - make_interval(days => ${EVALUATION_DAYS})
        and ${evaluationState()} = 'open'
      on conflict do nothing returning split_part(name, ' ', 2)::uuid as id)
    ${insertNotices(sql`(
      select e.user_id, 'evaluation' as event, e.id as object_id, null::uuid as activity_id, null::uuid as since_id
      from offered o join journey_enrolments e on e.id = o.id)`)}`.execute(db);
}

/** Days before the end of a certificate at which its holder is reminded a second time. */
const LAST_REMINDER_DAYS = 14;

/**
 * Reminds holders to renew a certificate: once it may be renewed, and again shortly before its end. An earlier unread
 * notification is replaced, so that the new one is mailed too.
 */
export async function notifyCertificateEnds(db: Db): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: string; person: string }>`
      with claimed as (
        insert into notification_claims (name)
        select concat_ws(' ', 'expiry', t.id, step)
        from certificates t join journeys j on j.key = t.journey_key and ${IS_PUBLISHED_JOURNEY}
          cross join lateral (values ('first', ${RENEWABLE_FROM}),
            ('last', t.expires_at - make_interval(days => ${LAST_REMINDER_DAYS}))) reminder (step, since)
        where ${EXPIRES} and t.expires_at > now() and reminder.since <= now()
          and t.expires_at <= now() + make_interval(days => ${RENEWAL_DAYS})
        on conflict do nothing returning split_part(name, ' ', 2)::uuid as id)
      select t.id, t.user_id as person from certificates t where t.id in (select id from claimed)`.execute(trx);
    if (rows.length === 0) return;
    await trx
      .deleteFrom('notifications')
      .where('event', '=', 'certificate_expiry')
      .where('object_id', '=', (eb) => eb.fn.any(eb.val(rows.map(({ id }) => id))))
      .where('read_at', 'is', null)
      .execute();
    await notify(
      trx,
      rows.map(({ id, person }) => ({ userId: person, event: 'certificate_expiry', objectId: id })),
    );
  });
}

/** Days after its due day on which a course is announced as late, and until which it is, for when no worker ran. */
const LATE_AFTER_DAYS = 3;
const LATE_DAYS = 10;

/**
 * Notifies cohort members that a course is due soon or late, once per due day and number of days, unless their cohort
 * switched that off. An earlier unread notification is replaced, so that the new one is mailed too.
 */
export async function notifyDueDays(db: Db): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { rows } = await sql<{ person: string; journey: string }>`
      with near as (
        select distinct m.user_id, j.key, d.due_on, d.due_on - (now() at time zone 'UTC')::date as days
        from cohort_products p
        join cohorts c on c.id = p.cohort_id and c.reminds_of_due_dates and c.archived_at is null and c.deleted_at is null
        join cohort_members m on m.cohort_id = p.cohort_id
        join lateral (
          select * from journeys where entry_id = p.entry_id union all select * from journeys where course_id = p.entry_id
        ) j on ${IS_PUBLISHED_JOURNEY}
        cross join lateral (${dueDay(sql`m.user_id`)}) d
        where p.due_on = d.due_on and ${isUnderWay(sql`m.user_id`)}
          and p.due_on between (now() at time zone 'UTC')::date - ${LATE_DAYS}::integer
            and (now() at time zone 'UTC')::date + ${Math.max(...REMINDER_DAYS)}::integer),
      claimed as (
        insert into notification_claims (name)
        select concat_ws(' ', 'course', near.user_id, near.key, day, near.due_on)
        from near cross join unnest(${[...REMINDER_DAYS, -LATE_AFTER_DAYS]}::integer[]) day
        where case when day < 0 then near.days <= day else near.days between 0 and day end
        on conflict do nothing returning name)
      select distinct split_part(name, ' ', 2) as person, split_part(name, ' ', 3) as journey from claimed`.execute(
      trx,
    );
    if (rows.length === 0) return;
    const pairs = sql`unnest(${rows.map(({ person }) => person)}::uuid[], ${rows.map(({ journey }) => journey)}::uuid[])
      recipient (person, journey)`;
    await sql`
      delete from notifications n using ${pairs}
      where n.user_id = recipient.person and n.event = 'due_date' and n.object_id = recipient.journey and n.read_at is null`.execute(
      trx,
    );
    await notify(
      trx,
      rows.map(({ person, journey }) => ({ userId: person, event: 'due_date', objectId: journey })),
    );
  });
}
