import type pg from 'pg';

/** Communities, threads and readers, all different, so that no request finds what another has just read. */
export type Place = { slug: string; threadId: string; readerId: string };

export const PLACES = 50;
const POSTS = 60;
const REPLIES = 12;

/** Communities `place-<n>` with their posts and threads; the people of the community `bench` are members. */
export async function seedPlaces(client: pg.ClientBase): Promise<void> {
  await client.query('begin');
  await client.query(
    `insert into entries (id, content_type, source, slug)
     select 'place-' || n, 'communityPage', 'folder', jsonb_build_object('en', 'place-' || n) from generate_series(1, $1::int) n`,
    [PLACES],
  );
  await client.query(
    `insert into products (entry_id, content_type, can_view, can_join)
     select id, content_type, 'public', 'authenticated' from entries where id like 'place-%'`,
  );
  await client.query(
    `insert into communities (id, entry_id, slug, title, privacy, member_count)
     select new_id(), 'place-' || n, 'place-' || n, jsonb_build_object('en', 'Place ' || n), 'open-visible', 20
     from generate_series(1, $1::int) n`,
    [PLACES],
  );
  // Everyone is a member of ten communities.
  await client.query(`
    insert into community_members (community_id, user_id)
    select c.id, u.id from communities c join users u on u.email like 'bench-%'
    where c.slug like 'place-%' and (hashtext(u.email) + substr(c.slug, 7)::int) % 5 = 0
      or c.slug like 'place-%' and u.email = 'bench-' || substr(c.slug, 7) || '@example.gov'`);
  await client.query(
    `insert into activities (id, community_id, author_id, verb, title, body, body_html, hot, created_at, updated_at)
     select new_id(), c.id, ids[1 + (n * 7 + substr(c.slug, 7)::int) % 100], 'post', 'What we learned from case ' || n, text,
       '<p>' || text || '</p>', extract(epoch from at - timestamptz '2024-01-01Z') / 75000, at, at
     from communities c, generate_series(1, $1::int) n,
       (select array_agg(id order by id) ids from users where email like 'bench-%') people,
       (select repeat('A short paragraph about a case that took longer than it should have. ', 5) as text) t,
       lateral (select now() - interval '1 hour' * ($1::int - n + 1) as at) moment
     where c.slug like 'place-%'`,
    [POSTS],
  );
  await client.query(
    `insert into reactions (id, activity_id, depth, kind, user_id, body, body_html, created_at)
     select new_id(), a.id, 1, 'reply', ids[1 + (k * 29 + abs(hashtext(a.id::text))) % 100], text, '<p>' || text || '</p>',
       a.created_at + interval '1 minute' * k
     from (select distinct on (community_id) * from activities order by community_id, created_at desc) a
       join communities c on c.id = a.community_id and c.slug like 'place-%', generate_series(1, $1::int) k,
       (select array_agg(id order by id) ids from users where email like 'bench-%') people,
       (select 'We had the same. It helped to ask first.'::text as text) t`,
    [REPLIES],
  );
  await client.query(`
    update activities a set reply_count = s.replies from (select activity_id, count(*) replies from reactions group by 1) s
    where s.activity_id = a.id and a.community_id in (select id from communities where slug like 'place-%')`);
  await client.query('commit');
  await client.query('vacuum analyze');
}

/** The seeded places, each with its liveliest thread and a reader of its own. */
export async function findPlaces(client: pg.ClientBase): Promise<Place[]> {
  const { rows } = await client.query<Place>(`
    select c.slug, u.id as "readerId",
      (select a.id from activities a where a.community_id = c.id order by reply_count desc limit 1) as "threadId"
    from communities c join users u on u.email = 'bench-' || substr(c.slug, 7) || '@example.gov'
    where c.slug like 'place-%' order by c.id`);
  return rows;
}
