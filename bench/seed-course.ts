import type pg from 'pg';

const LESSONS = 20;

/**
 * Courses `bench-<n>`, each with one journey of 20 lessons in which the members of the community `bench` are enrolled.
 */
export async function seedCourses(client: pg.ClientBase, courses: number): Promise<void> {
  await client.query('begin');
  await client.query(
    `insert into entries (id, content_type, source, slug)
     select 'bench-course-' || n || part, type, 'folder', '{}' from generate_series(1, $1::int) n,
       (values ('', 'course'), ('.main', 'courseJourney')) parts (part, type)`,
    [courses],
  );
  await client.query(`
    insert into products (entry_id, content_type, can_view, can_join)
    select id, content_type, 'public', 'authenticated' from entries where id like 'bench-course-%'`);
  await client.query(
    `insert into courses (id, slug, type, title, summary)
     select 'bench-course-' || n, 'bench-' || n, 'Public', '{"en":"A course"}', '{"en":"What it is about."}'
     from generate_series(1, $1::int) n`,
    [courses],
  );
  await client.query(`
    insert into journeys (key, course_id, entry_id, id, slug, title, privacy, position)
    select new_id(), id, id || '.main', 'main', 'main', '{"en":"The way through"}', 'open-public', 0
    from courses where id like 'bench-course-%'`);
  await client.query(`
    insert into sections (key, journey_key, heading, position)
    select new_id(), j.key, jsonb_build_object('en', 'Part ' || n), n from journeys j, generate_series(0, 3) n
    where j.course_id like 'bench-course-%'`);
  await client.query(
    `insert into lessons (key, journey_key, section_key, id, slug, title, minutes, discussion, position)
     select new_id(), s.journey_key, s.key, 'lesson-' || n, 'lesson-' || n,
       jsonb_build_object('en', 'What to know, part ' || n), 10, '{"en":"How is this where you work?"}', n
     from sections s join journeys j on j.key = s.journey_key, generate_series(1, $1::int) n
     where j.course_id like 'bench-course-%' and s.position = (n - 1) / ($1::int / 4)`,
    [LESSONS],
  );
  await client.query(`
    insert into bodies (lesson_key, locale, source, html)
    select l.key, 'en', text, text from lessons l join journeys j on j.key = l.journey_key,
      (select repeat('<p>' || repeat('A letter is read by somebody who has little time and a question. ', 8) || '</p>', 10)
         as text) t
    where j.course_id like 'bench-course-%'`);
  await client.query(`
    insert into journey_enrolments (id, user_id, journey_key)
    select new_id(), u.id, j.key from users u, journeys j
    where u.email like 'bench-%' and j.course_id like 'bench-course-%'`);
  await client.query('commit');
  await client.query('vacuum analyze');
}

export { LESSONS };
