import { sql } from 'kysely';
import type { SeedPart } from './run.ts';

/** One row per recorded event that the administration overview counts, by figure. */
const LINES = sql`
  select 'people' as figure, week_of(created_at) as week, id as user_id, null::text as course_id, 1 as amount
    from users where email_proven_at is not null and erased_at is null
  union all
  select 'enrolments', week_of(e.created_at), e.user_id, j.course_id, count(*)::int
    from journey_enrolments e join journeys j on j.key = e.journey_key group by 2, 3, 4
  union all
  select 'journeys', week_of(e.completed_at), e.user_id, j.course_id, count(*)::int
    from journey_enrolments e join journeys j on j.key = e.journey_key where e.completed_at is not null group by 2, 3, 4
  union all
  select 'lessons', week_of(c.completed_at), c.user_id, j.course_id, count(*)::int
    from lesson_completions c join lessons l on l.key = c.lesson_key join journeys j on j.key = l.journey_key
    group by 2, 3, 4
  union all
  select 'certificates', week_of(c.issued_at), c.user_id, j.course_id, count(*)::int
    from certificates c join journeys j on j.key = c.journey_key where c.revoked_at is null group by 2, 3, 4
  union all
  select 'posts', week_of(created_at), author_id, null, count(*)::int
    from activities where verb <> 'lesson' and deleted_at is null group by 2, 3
  union all
  select 'replies', week_of(r.created_at), r.user_id, j.course_id, count(*)::int
    from reactions r join activities a on a.id = r.activity_id left join lessons l on l.key = a.lesson_key
    left join journeys j on j.key = l.journey_key
    where r.kind = 'reply' and r.deleted_at is null group by 2, 3, 4`;

/** Rebuilds all figures of the overview from the tables. No trigger writes them meanwhile (see upkeep.ts). */
export const figures: SeedPart = {
  name: 'overview figures',
  async fill({ db }) {
    await sql`select pg_advisory_xact_lock(hashtextextended('figures', 0))`.execute(db);
    for (const table of ['figure_changes', 'person_figures', 'week_figures'])
      await sql`delete from ${sql.table(table)}`.execute(db);
    await sql`insert into figure_changes (figure, week, user_id, course_id, amount) ${LINES}`.execute(db);
    await sql`analyze figure_changes`.execute(db);
    await sql`select fold_figures()`.execute(db);
  },
};
