import type pg from 'pg';
import { ADMINISTRATOR, COURSES, LESSONS, type Sizes } from './growth-sizes.ts';

const FIRST =
  'Amina Bo Carla Dmitri Elena Farid Greta Hugo Ines Jonas Keiko Lars Marta Nilo Olga Pavel Rosa Samir Tessa Yusuf';
const LAST = ['ba', 'do', 'fer', 'gin', 'ha', 'kel', 'lo', 'mar', 'ni', 'po', 'ren', 'sul', 'ta', 'vi', 'wen', 'zo'];

/** Accounts, memberships and learning. They are few compared to posts, so they are inserted with all triggers on. */
export async function seedPeople(client: pg.ClientBase, sizes: Sizes, log: (line: string) => void): Promise<void> {
  const { people, communities, cohorts } = sizes;
  const part = (shift: number) => `(array['${LAST.join("','")}'])[1 + (n >> ${shift} & 15)]`;
  log(`${people} people`);
  await client.query(`
    insert into users (id, email, email_proven_at, name, role, job_title, organization, visibility, created_at, updated_at)
    select pg_temp.person(n), 'person-' || n || '@example.gov', now(),
      (string_to_array('${FIRST}', ' '))[1 + n % 20] || ' ' || initcap(${part(0)} || ${part(4)} || ${part(8)} || ${part(12)}),
      case when n = ${ADMINISTRATOR} then 'administrator' when n % 10 = 9 then 'non-public-servant' else 'public-servant' end,
      (array['Policy adviser', 'Case worker', 'Analyst', 'Head of unit'])[1 + n % 4], 'Ministry ' || n % 70,
      case when n % 2 = 0 then 'public' when n % 50 = 7 then 'private' else 'default' end,
      now() - interval '300 days' * (1 - n / ${people}::float8), now()
    from generate_series(1, ${people}) n`);

  log(`${communities} communities and their members`);
  const entry = `'community-' || n`;
  await client.query(`
    insert into entries (id, content_type, source, slug)
    select ${entry}, 'communityPage', 'folder', jsonb_build_object('en', 'c-' || n) from generate_series(1, ${communities}) n`);
  await client.query(`
    insert into products (entry_id, content_type, can_view, can_join)
    select ${entry}, 'communityPage', 'public', 'authenticated' from generate_series(1, ${communities}) n`);
  // Three of twenty communities are closed (one of them hidden), and two are open but unlisted.
  await client.query(`
    insert into communities (id, entry_id, slug, title, description, privacy, categories, created_at)
    select pg_temp.community(n), ${entry}, 'c-' || n, jsonb_build_object('en', 'Community ' || n),
      jsonb_build_object('en', 'Where people of field ' || n || ' meet and help each other.'),
      case n % 20 when 5 then 'closed-hidden' when 11 then 'closed-visible' when 17 then 'closed-visible'
        when 3 then 'open-hidden' when 13 then 'open-hidden' else 'open-visible' end,
      '{practice,questions,news,seldom}', now() - interval '1 year'
    from generate_series(1, ${communities}) n`);
  // Every second person is in the largest community, and everyone in up to four others.
  await client.query(`
    insert into community_members (community_id, user_id, role, joined_at)
    select pg_temp.community(c), pg_temp.person(n), case when n < 4 then 'owner' else 'member' end,
      now() - interval '200 days' * (1 - n / ${people}::float8)
    from generate_series(1, ${people}) n, lateral (
      select 1 as c where n % 2 = 0
      union select 2 + floor((${communities} - 1)::float8 ^ pg_temp.chance(n, s))::int - 1 from generate_series(1, 4) s) m`);
  await client.query(`
    update communities c set member_count = m.n
    from (select community_id, count(*) as n from community_members where status = 'active' group by 1) m
    where m.community_id = c.id`);

  log(`${COURSES} courses and learning progress`);
  await client.query(`
    insert into entries (id, content_type, source, slug)
    select 'course-' || n, 'course', 'folder', jsonb_build_object('en', 'course-' || n) from generate_series(1, ${COURSES}) n`);
  await client.query(`
    insert into products (entry_id, content_type, can_view, can_join)
    select 'course-' || n, 'course', 'public', 'authenticated' from generate_series(1, ${COURSES}) n`);
  await client.query(`
    insert into courses (id, slug, type, title, summary, position)
    select 'course-' || n, 'course-' || n, 'Public', jsonb_build_object('en', 'Course ' || n),
      jsonb_build_object('en', 'What everybody should know of field ' || n), n
    from generate_series(1, ${COURSES}) n`);
  await client.query(`
    insert into journeys (key, course_id, id, slug, title, privacy, position)
    select new_id(), id, 'main', 'main', title, 'open-public', 0 from courses`);
  await client.query(`
    insert into lessons (key, journey_key, id, slug, title, minutes, position)
    select new_id(), j.key, 'lesson-' || n, 'lesson-' || n, jsonb_build_object('en', 'Lesson ' || n), 10, n
    from journeys j, generate_series(1, ${LESSONS}) n`);
  await client.query(`
    insert into bodies (lesson_key, locale, source, html)
    select key, 'en', text, '<p>' || text || '</p>' from lessons,
      lateral (select repeat('What is done first, what comes after it and whom to ask when it goes wrong. ', 20) as text) t`);
  await client.query(`
    with numbered as (select j.key, row_number() over (order by c.position) - 1 as nth from journeys j join courses c on c.id = j.course_id)
    insert into journey_enrolments (id, user_id, journey_key, created_at, updated_at)
    select new_id(), pg_temp.person(n), j.key, now() - interval '90 days', now() - interval '90 days'
    from generate_series(1, ${people}) n
    cross join lateral (select n % ${COURSES} as nth union select (n * 7 + 3) % ${COURSES} union select (n * 11 + 5) % ${COURSES}) own
    join numbered j on j.nth = own.nth`);
  // Everyone has finished one course and is halfway through the others.
  await client.query(`
    insert into lesson_completions (id, user_id, lesson_key, completed_at)
    select new_id(), e.user_id, l.key, now() - interval '80 days' + interval '1 day' * l.position
    from (select e.*, row_number() over (partition by user_id order by journey_key) as nth from journey_enrolments e) e
    join lessons l on l.journey_key = e.journey_key and l.position <= case e.nth when 1 then ${LESSONS} else 3 end`);
  await client.query(`
    update journey_enrolments e set completed_at = now() - interval '70 days'
    where (select count(*) from lesson_completions d join lessons l on l.key = d.lesson_key
      where d.user_id = e.user_id and l.journey_key = e.journey_key) = ${LESSONS}`);

  log(`${cohorts} cohorts`);
  await client.query(`
    insert into cohorts (id, name, type, primary_partner, created_at)
    select pg_temp.cohort(n), 'Cohort ' || n, 'course', 'Ministry ' || n % 70,
      now() - interval '300 days' * (1 - n / ${cohorts}::float8) from generate_series(1, ${cohorts}) n`);
  await client.query(`
    insert into cohort_products (cohort_id, entry_id, position)
    select pg_temp.cohort(n), 'course-' || 1 + n % ${COURSES}, 0 from generate_series(1, ${cohorts}) n`);
  // Every third person is in the largest cohort, and everyone in one more.
  await client.query(`
    insert into cohort_members (cohort_id, user_id, joined_at)
    select pg_temp.cohort(c), pg_temp.person(n), now() - interval '100 days' * (1 - n / ${people}::float8)
    from generate_series(1, ${people}) n, lateral (
      select 1 as c where n % 3 = 0 union select 1 + floor((${cohorts} - 1) * pg_temp.chance(n, 9))::int) m`);
  await client.query(`
    insert into cohort_invitations (id, cohort_id, email)
    select new_id(), pg_temp.cohort(1), 'invited-' || n || '@example.gov' from generate_series(1, ${people} / 5) n`);
}
