import pg from 'pg';
import { openSession } from '../server/access/sessions.ts';
import { newId, openDatabase } from '../server/db/client.ts';

export type Person = { id: string; cookie: string };

/** The rows a load works on: people with sessions, and targets for their writes. */
export type Fixture = {
  people: Person[];
  /** The community for new posts; it starts empty. */
  forum: string;
  /** The community whose posts get replies and likes. */
  wall: { slug: string; posts: string[] };
  /** The community with polls of two options each. */
  polls: { slug: string; all: { id: string; options: [string, string] }[] };
  /** The course whose journey everyone is enrolled in, with its lessons. */
  course: { slug: string; journey: string; lessons: string[] };
  /** The course with open journeys in which no one is enrolled. */
  open: { slug: string; journeys: string[] };
};

export type FixtureSize = { people: number; posts: number; polls: number; lessons: number; journeys: number };

/** Categories of forum posts. A list ends after 10 000 rows, and each category stays below that. */
export const CATEGORIES = Array.from({ length: 20 }, (_, nth) => `case ${nth}`);

/** Enough for 100 000 writes without repeating a like, completion or enrolment. */
export const USUAL_SIZE: FixtureSize = { people: 200, posts: 300, polls: 100, lessons: 150, journeys: 60 };

/** Runs one query on a connection of its own. */
export async function ask<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // the query rejects too
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** Creates the fixture in a migrated database. `name` separates several fixtures in one database. */
export async function makeFixture(
  databaseUrl: string,
  { size = USUAL_SIZE, name = 'ledger' }: { size?: FixtureSize; name?: string } = {},
): Promise<Fixture> {
  const many = (count: number) => Array.from({ length: count }, () => newId());
  const people = many(size.people);
  const posts = many(size.posts);
  const polls = many(size.polls);
  const options = many(size.polls * 2);
  const slugs = ['forum', 'wall', 'polls'].map((part) => `${name}-${part}`);
  const communities = many(slugs.length);
  const [main, other] = [`${name}-course`, `${name}-open`];
  const [journey = ''] = many(1);
  const lessons = Array.from({ length: size.lessons }, (_, at) => `lesson-${at}`);
  const journeys = Array.from({ length: size.journeys }, (_, at) => `journey-${at}`);

  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const run = (text: string, ...values: unknown[]) => client.query(text, values);
  try {
    await run('begin');
    await run(
      `insert into users (id, email, email_proven_at, name, role)
       select id, $2 || '-' || n || '@example.gov', now(), 'Person ' || n, 'public-servant'
       from unnest($1::uuid[]) with ordinality t (id, n)`,
      people,
      name,
    );
    await run(
      `insert into entries (id, content_type, source)
       select slug, 'communityPage', 'folder' from unnest($1::text[]) slug
       union all select unnest($2::text[]), 'course', 'folder'`,
      slugs,
      [main, other],
    );
    await run(
      `insert into products (entry_id, content_type, can_view, can_join)
       select slug, 'communityPage', 'authenticated', 'authenticated' from unnest($1::text[]) slug
       union all select unnest($2::text[]), 'course', 'public', 'authenticated'`,
      slugs,
      [main, other],
    );
    await run(
      `insert into communities (id, entry_id, slug, title, privacy)
       select id, slug, slug, jsonb_build_object('en', slug), 'open-visible' from unnest($1::uuid[], $2::text[]) t (id, slug)`,
      communities,
      slugs,
    );
    await run('update communities set categories = $2 where id = $1', communities[0], CATEGORIES);
    await run(
      `insert into community_members (community_id, user_id)
       select c, p from unnest($1::uuid[]) c, unnest($2::uuid[]) p`,
      communities,
      people,
    );
    await run('update communities set member_count = $2 where id = any($1)', communities, people.length);
    await run(
      `insert into activities (id, community_id, author_id, verb, title, body, body_html, hot)
       select id, case verb when 'post' then $3::uuid else $4::uuid end, ($5::uuid[])[1 + n % $6], verb,
              'Case ' || n, 'What we learned.', '<p>What we learned.</p>', activity_hot(0, now())
       from (select id, n, 'post' as verb from unnest($1::uuid[]) with ordinality t (id, n)
             union all select id, n, 'poll' from unnest($2::uuid[]) with ordinality t (id, n)) made`,
      posts,
      polls,
      communities[1],
      communities[2],
      people,
      people.length,
    );
    await run(`insert into polls (id, results_visibility) select unnest($1::uuid[]), 'always'`, polls);
    await run(
      `insert into poll_options (id, poll_id, position, body)
       select id, ($2::uuid[])[1 + (n - 1) / 2], 1 + (n - 1) % 2, 'Choice ' || n
       from unnest($1::uuid[]) with ordinality t (id, n)`,
      options,
      polls,
    );
    await run(
      `insert into courses (id, slug, type, title)
       select slug, slug, 'Public', jsonb_build_object('en', slug) from unnest($1::text[]) slug`,
      [main, other],
    );
    await run(
      `insert into journeys (key, course_id, id, slug, title, privacy, position)
       values ($1, $2, 'all', 'all', '{"en":"All"}', 'open-public', 0)`,
      journey,
      main,
    );
    await run(
      `insert into journeys (key, course_id, id, slug, title, privacy, position)
       select new_id(), $2, slug, slug, jsonb_build_object('en', slug), 'open-public', n
       from unnest($1::text[]) with ordinality t (slug, n)`,
      journeys,
      other,
    );
    await run(
      `with made as (insert into lessons (key, journey_key, id, slug, title, minutes, position)
         select new_id(), $2, slug, slug, jsonb_build_object('en', slug), 5, n
         from unnest($1::text[]) with ordinality t (slug, n) returning key)
       insert into bodies (lesson_key, locale, source, html) select key, 'en', 'Words.', '<p>Words.</p>' from made`,
      lessons,
      journey,
    );
    await run(
      'insert into journey_enrolments (id, user_id, journey_key) select new_id(), p, $2 from unnest($1::uuid[]) p',
      people,
      journey,
    );
    await run('commit');
    await run('analyze');
  } finally {
    await client.end();
  }
  return {
    people: await openSessions(databaseUrl, people),
    forum: slugs[0]!, // three were named above
    wall: { slug: slugs[1]!, posts },
    polls: {
      slug: slugs[2]!,
      all: polls.map((id, at) => ({ id, options: [options[2 * at]!, options[2 * at + 1]!] })), // two per poll
    },
    course: { slug: main, journey: 'all', lessons },
    open: { slug: other, journeys },
  };
}

async function openSessions(databaseUrl: string, people: readonly string[]): Promise<Person[]> {
  const { db, close } = openDatabase(databaseUrl, { max: 4, onError: () => {} });
  try {
    return await Promise.all(people.map(async (id) => ({ id, cookie: await openSession(db, { userId: id }) })));
  } finally {
    await close();
  }
}
