import type pg from 'pg';

export type Seeded = { communitySlug: string; communityId: string; viewerId: string };

/** Ids of the seeded rows. */
export type Things = Seeded & {
  /** The newest posts; the first has 20 replies. */
  postIds: string[];
  /** One option of each poll. */
  optionIds: string[];
  /** The people; the first is the viewer. */
  personIds: string[];
};

/** Finds what seedCommunity inserted, also in an earlier run. Undefined when there is nothing. */
export async function findThings(client: pg.ClientBase): Promise<Things | undefined> {
  const { rows } = await client.query<{ id: string; posts: string[]; options: string[]; people: string[] }>(
    `select c.id,
       array(select a.id from activities a where a.community_id = c.id and a.verb = 'post' and a.deleted_at is null
         and a.title like 'What we learned%' order by a.id desc limit 2000) as posts,
       array(select o.id from poll_options o join activities a on a.id = o.poll_id
         where a.community_id = c.id and o.position = 1 order by a.id desc) as options,
       array(select u.id from users u where u.email like 'bench-%' order by length(u.email), u.email) as people
     from communities c where c.slug = 'bench'`,
  );
  const [row] = rows;
  return (
    row && {
      communitySlug: 'bench',
      communityId: row.id,
      viewerId: row.people[0]!, // bench-1
      postIds: row.posts,
      optionIds: row.options,
      personIds: row.people,
    }
  );
}

/**
 * A community of 100 people with `posts` posts, every tenth of them a poll, with likes and replies, inserted in SQL.
 * Counters, points and hot scores equal those the product would maintain.
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
    `insert into communities (id, entry_id, slug, title, privacy, member_count)
     values (pg_temp.id_at(now(), 'bench'), 'bench', $1, '{"en":"Bench"}', 'open-visible', 100)`,
    [slug],
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
    select pg_temp.id_at(at, 'post' || n), c.id, ids[1 + n % 100], case when is_poll then 'poll' else 'post' end,
           'What we learned from case ' || n, case when not is_poll then text end,
           case when not is_poll then '<p>' || text || '</p>' end, 0, at, at
    from posts, people, communities c, lateral (select n % 10 = 0 as is_poll) p,
      (select repeat('A short paragraph about a case that took longer than it should have. ', 5) as text) t
    where c.slug = 'bench'`,
    [posts],
  );
  await seedPolls(client);
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
  await seedThread(client);
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
  const { rows } = await client.query<{ community: string; viewer: string }>(
    `select c.id as community, u.id as reader from communities c, users u where c.slug = 'bench' and u.email = 'bench-1@example.gov'`,
  );
  const [row] = rows;
  if (!row) throw new Error('seeding produced no rows');
  return { communitySlug: slug, communityId: row.community, viewerId: row.viewer };
}

/** Four options for each poll; ten people have voted. */
async function seedPolls(client: pg.ClientBase): Promise<void> {
  await client.query(`
    insert into polls (id, vote_count, voter_count, results_visibility)
    select a.id, 10, 10, 'always' from activities a join communities c on c.id = a.community_id
    where c.slug = 'bench' and a.verb = 'poll'`);
  await client.query(`
    insert into poll_options (id, poll_id, position, body, vote_count)
    select new_id(), p.id, n, 'The ' || n || '. way to do it', case when n <= 2 then 3 else 2 end
    from polls p, generate_series(1, 4) n`);
  await client.query(`
    insert into poll_votes (id, poll_id, option_id, user_id, is_only)
    select new_id(), o.poll_id, o.id, u.id, true
    from generate_series(1, 10) n join users u on u.email = 'bench-' || n || '@example.gov'
    join poll_options o on o.position = 1 + (n - 1) % 4`);
}

/** Gives the newest post 20 replies, some of them liked, one by the viewer. */
async function seedThread(client: pg.ClientBase): Promise<void> {
  await client.query(`
    with thread as (
      select a.id, a.created_at from activities a join communities c on c.id = a.community_id
      where c.slug = 'bench' and a.verb = 'post' order by a.id desc limit 1),
    gone as (delete from reactions r using thread t where r.activity_id = t.id and r.kind = 'reply')
    insert into reactions (id, activity_id, depth, kind, user_id, body, body_html, like_count, created_at)
    select new_id(), t.id, 1, 'reply', u.id, body, '<p>' || body || '</p>', n % 3, t.created_at + interval '1 second' * n
    from thread t, generate_series(1, 20) n join users u on u.email = 'bench-' || n + 1 || '@example.gov',
      (select repeat('We had the same, and it helped to ask first what the letter was for. ', 3) as body) b`);
  await client.query(`
    insert into reactions (id, activity_id, parent_id, depth, kind, user_id)
    select new_id(), r.activity_id, r.id, 2, 'like', u.id
    from reactions r join generate_series(1, 2) n on n <= r.like_count
      join users u on u.email = 'bench-' || case n when 1 then 1 else 40 end || '@example.gov'
    where r.like_count > 0 and r.parent_id is null and r.kind = 'reply'`);
}
