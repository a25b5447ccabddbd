// Raw SQL: sums over a union of records by month.
import { sql } from 'kysely';
import { inTransaction, type Db } from '#server/db/client.ts';

/** The months of all records, from the first one to the current one; `latest`: only so many of the last ones. */
export async function findMonths(db: Db, latest: number | null): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select to_char(month, 'YYYY-MM-DD') as month
    from generate_series(
      date_trunc('month', (select least(now(), min(created_at), (select min(completed_at) from lesson_completions),
        (select min(issued_at) from certificates)) from journey_enrolments) at time zone 'UTC'),
      date_trunc('month', now() at time zone 'UTC'), interval '1 month') month
    order by month desc limit ${latest}`.execute(db);
  return rows.map(({ month }) => month);
}

export async function hasCounted(db: Db): Promise<boolean> {
  return (await db.selectFrom('learning_months').select('month').limit(1).executeTakeFirst()) !== undefined;
}

/** Counts one month again from the records. Rows that stay the same are not written. */
export async function countMonth(db: Db, month: string): Promise<void> {
  const first = sql`${month}::timestamp at time zone 'UTC'`;
  const end = sql`(${month}::timestamp + interval '1 month') at time zone 'UTC'`;
  const isIn = (column: string) => sql`${sql.ref(column)} >= ${first} and ${sql.ref(column)} < ${end}`;
  await inTransaction(db, async (trx) => {
    await sql`set local statement_timeout = '10min'`.execute(trx);
    await sql`
      with counted as materialized (
        select user_id, course_id, sum(lessons)::int as lessons, sum(minutes)::int as minutes,
          sum(enrolments)::int as enrolments, sum(completions)::int as completions, sum(certificates)::int as certificates
        from (
          select d.user_id, j.course_id, 1 as lessons, l.minutes, 0 as enrolments, 0 as completions, 0 as certificates
          from lesson_completions d join lessons l on l.key = d.lesson_key join journeys j on j.key = l.journey_key
          where ${isIn('d.completed_at')}
          union all
          select e.user_id, j.course_id, 0, 0, 1, 0, 0
          from journey_enrolments e join journeys j on j.key = e.journey_key where ${isIn('e.created_at')}
          union all
          select e.user_id, j.course_id, 0, 0, 0, 1, 0
          from journey_enrolments e join journeys j on j.key = e.journey_key where ${isIn('e.completed_at')}
          union all
          select t.user_id, j.course_id, 0, 0, 0, 0, 1
          from certificates t join journeys j on j.key = t.journey_key
          where ${isIn('t.issued_at')} and t.revoked_at is null) records
        group by user_id, course_id),
      gone as (
        delete from learning_months m where m.month = ${month}::date
          and not exists (select from counted c where c.user_id = m.user_id and c.course_id = m.course_id))
      insert into learning_months as m
        (month, user_id, course_id, lessons, minutes, enrolments, completions, certificates)
      select ${month}::date, c.user_id, c.course_id, c.lessons, c.minutes, c.enrolments, c.completions, c.certificates
      from counted c join users u on u.id = c.user_id and u.erased_at is null
      on conflict (month, user_id, course_id) do update set lessons = excluded.lessons, minutes = excluded.minutes,
        enrolments = excluded.enrolments, completions = excluded.completions, certificates = excluded.certificates
      where (m.lessons, m.minutes, m.enrolments, m.completions, m.certificates)
        <> (excluded.lessons, excluded.minutes, excluded.enrolments, excluded.completions, excluded.certificates)`.execute(
      trx,
    );
  });
}
