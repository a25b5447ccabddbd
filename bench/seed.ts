import type pg from 'pg';

export type Seeded = { communitySlug: string; communityId: string; readerId: string };

/**
 * A community of 100 people with `posts` posts, likes and replies, made by the database itself; counters, points and
 * hot scores are what the product would have kept.
 */
export async function seedCommunity(client: pg.ClientBase, posts: number): Promise<Seeded> {
  const slug = 'bench';
  await client.query(`
    create or replace function pg_temp.id_at(moment timestamptz, salt text) returns uuid language sql as $$
      select (lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0') || '7' || substr(md5(salt), 1, 3)
              || 'a' || substr(md5(salt), 4, 15))::uuid $$`);
  await client.query('begin');
  await client.query(`
    insert into users (id, email, email_proven_at, name, role, job_title, organization)
    select pg_temp.id_at(now() - interval '2 years', 'user' || n), 'bench-' || n || '@example.gov', now(), 'Person ' || n,
           'public-servant', 'Policy adviser', 'Ministry ' || n % 7 from generate_series(1, 100) n`);
  await client.query(
    `insert into entries (id, content_type, source, slug) values ('bench', 'communityPage', 'folder', '{"en":"bench"}')`,
  );
  await client.query(
    `insert into products (entry_id, content_type, can_view, can_join) values ('bench', 'communityPage', 'public', 'authenticated')`,
  );
  await client.query(
    `insert into communities (id, entry_id, slug, title, privacy, member_count, activity_count)
     values (pg_temp.id_at(now(), 'bench'), 'bench', $1, '{"en":"Bench"}', 'open-visible', 100, $2)`,
    [slug, posts],
  );
  await client.query(`
    insert into community_members (community_id, user_id)
    select c.id, u.id from communities c, users u where c.slug = 'bench' and u.email like 'bench-%'`);
  await client.query(
    `
    with people as (select array_agg(id order by id) ids from users where email like 'bench-%'),
    posts as (
      select n, now() - (interval '1 minute' * 7 * ($1::int - n)) as at from generate_series(1, $1::int) n
    )
    insert into activities (id, community_id, author_id, verb, title, body, body_html, hot, created_at, updated_at)
    select pg_temp.id_at(at, 'post' || n), c.id, ids[1 + n % 100], 'post', 'What we learned from case ' || n,
           repeat('A short paragraph about a case that took longer than it should have. ', 5),
           '<p>' || repeat('A short paragraph about a case that took longer than it should have. ', 5) || '</p>',
           0, at, at
    from posts, people, communities c where c.slug = 'bench'`,
    [posts],
  );
  await client.query(`
    with people as (select array_agg(id order by id) ids from users where email like 'bench-%')
    insert into reactions (id, activity_id, depth, kind, user_id, created_at)
    select pg_temp.id_at(a.created_at + interval '1 second' * k, 'like' || a.id || k), a.id, 1, 'like',
           ids[1 + (abs(hashtext(a.id::text)) + k * 13) % 100], a.created_at + interval '1 second' * k
    from activities a, people, generate_series(1, 6) k
    where k <= abs(hashtext(a.id::text)) % 7 and ids[1 + (abs(hashtext(a.id::text)) + k * 13) % 100] <> a.author_id`);
  await client.query(`
    with people as (select array_agg(id order by id) ids from users where email like 'bench-%')
    insert into reactions (id, activity_id, depth, kind, user_id, body, body_html, created_at)
    select pg_temp.id_at(a.created_at + interval '1 minute' * k, 'reply' || a.id || k), a.id, 1, 'reply',
           ids[1 + (abs(hashtext(a.id::text)) + k * 29) % 100], 'We had the same. It helped to ask first.',
           '<p>We had the same. It helped to ask first.</p>', a.created_at + interval '1 minute' * k
    from activities a, people, generate_series(1, 4) k
    where k <= abs(hashtext(a.id::text)) % 5 and ids[1 + (abs(hashtext(a.id::text)) + k * 29) % 100] <> a.author_id`);
  await client.query(`
    insert into activity_people (activity_id, user_id, kind, times)
    select r.activity_id, r.user_id, r.kind, count(*) from reactions r group by 1, 2, 3`);
  await client.query(`
    update activities a set like_count = s.likes, reply_count = s.replies, people_points = s.points
    from (select activity_id, count(*) filter (where kind = 'like') likes, count(*) filter (where kind = 'reply') replies,
            count(distinct user_id) filter (where kind = 'like') + 2 * count(distinct user_id) filter (where kind = 'reply') points
          from reactions group by activity_id) s where s.activity_id = a.id`);
  await client.query(
    `update activities set hot = ln(1 + people_points) + extract(epoch from created_at - timestamptz '2024-01-01Z') / 75000`,
  );
  await client.query('commit');
  await client.query('vacuum analyze');
  const { rows } = await client.query<{ community: string; reader: string }>(
    `select c.id as community, u.id as reader from communities c, users u where c.slug = 'bench' and u.email = 'bench-1@example.gov'`,
  );
  const [row] = rows;
  if (!row) throw new Error('nothing was seeded');
  return { communitySlug: slug, communityId: row.community, readerId: row.reader };
}
