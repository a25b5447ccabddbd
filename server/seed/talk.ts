import { sql } from 'kysely';
import { POST_TITLES, REPLIES, SENTENCES } from './words.ts';
import { settle } from '#server/integrity/counters.ts';
import type { SeedPart } from './run.ts';

export const memberships: SeedPart = {
  name: 'members of communities',
  async fill({ db }) {
    await sql`
      insert into community_members (community_id, user_id, joined_at, updated_at)
      select c.id, p.id, at, at
      from (select id, row_number() over (order by position, id) as nth from communities) c
      join seed_people p on p.is_active and (p.nth + c.nth) % (2 + c.nth) = 0,
        lateral (select p.since + random() * 0.3 * (now() - interval '2 days' - p.since) as at where c.nth > 0) t
      on conflict do nothing`.execute(db);
    await sql`
      create temporary table seed_members on commit drop as
      select m.community_id, row_number() over (partition by m.community_id order by random())::int as nth, m.user_id
      from community_members m join users u on u.id = m.user_id and u.erased_at is null where m.status = 'active'`.execute(
      db,
    );
    await sql`create unique index on seed_members (community_id, nth)`.execute(db);
    await sql`analyze seed_members`.execute(db);
    await sql`
      create temporary table seed_communities on commit drop as
      select row_number() over (order by c.position, c.id)::int as nth, c.id, c.categories,
        (select count(*)::int from seed_members m where m.community_id = c.id) as members
      from communities c where exists (select from seed_members m where m.community_id = c.id)`.execute(db);
  },
};

export const posts: SeedPart = {
  name: 'posts',
  async fill({ db, people }) {
    await sql`
      create temporary table seed_posts on commit drop as
      select p.*, case when nth % 150 = 7 then least(at + interval '2 days', now() - interval '1 hour') end as removed_at
      from (select row_number() over (order by at)::int as nth, pg_temp.id_at(at) as id, c.id as community_id, m.user_id, at,
        case when dice < 0.6 and cardinality(c.categories) > 0 then array[pg_temp.one_of(c.categories)] else '{}' end as categories,
        pg_temp.one_of(${[...POST_TITLES]}::text[]) as title,
        array[pg_temp.one_of(${[...SENTENCES]}::text[]), pg_temp.one_of(${[...SENTENCES]}::text[]), pg_temp.one_of(${[...SENTENCES]}::text[])] as said
      from (
        select 1 + floor(power(random(), 1.5) * (select count(*) from seed_communities))::int as community, random() as dice,
          random() as who, now() - interval '2 hours' - power(random(), 1.4) * interval '700 days' as at
        from generate_series(1, ${Math.round(people / 2)}::int)) d
      join seed_communities c on c.nth = d.community
      join seed_members m on m.community_id = c.id and m.nth = 1 + floor(d.who * c.members)::int) p`.execute(db);
    await sql`create unique index on seed_posts (nth)`.execute(db);
    await sql`analyze seed_posts`.execute(db);
    await sql`
      insert into activities (id, community_id, author_id, verb, title, body, body_html, categories, hot, created_at, updated_at,
        deleted_at, deleted_by)
      select id, community_id, user_id, 'post', title, array_to_string(said, E'\n\n'), '<p>' || array_to_string(said, '</p>' || E'\n' || '<p>') || '</p>',
        categories, activity_hot(0, at), at, at, removed_at, case when removed_at is not null then admin_id end
      from seed_posts, (select id as admin_id from users where role = 'administrator' order by id limit 1) admin order by id`.execute(
      db,
    );
    await sql`analyze activities`.execute(db);
    await sql`
      select count(put_search_document('post', a.id::text, a.locale, a.title, html_text(a.body_html), a.created_at, a.community_id, a.id)::text)
      from activities a join seed_posts p on p.id = a.id where a.deleted_at is null`.execute(db);
  },
};

export const reactions: SeedPart = {
  name: 'replies and likes',
  async fill({ db, people }) {
    // Squared randomness gives a few posts most of the reactions.
    const picks = (count: number) => sql`
      select p.id as activity_id, m.user_id, p.at + random() * least(interval '20 days', now() - interval '90 minutes' - p.at) as at
      from (
        select 1 + floor(power(random(), 2) * (select count(*) from seed_posts))::int as post, random() as who
        from generate_series(1, ${count}::int)) d
      join seed_posts p on p.nth = d.post
      join seed_communities c on c.id = p.community_id
      join seed_members m on m.community_id = c.id and m.nth = 1 + floor(d.who * c.members)::int`;
    await sql`
      create temporary table seed_replies on commit drop as
      select pg_temp.id_at(at) as id, activity_id, user_id, at, pg_temp.one_of(${[...REPLIES]}::text[]) as body
      from (${picks(Math.round(people * 0.7))}) d`.execute(db);
    await sql`
      insert into reactions (id, activity_id, depth, kind, user_id, body, body_html, created_at, updated_at)
      select id, activity_id, 1, 'reply', user_id, body, '<p>' || body || '</p>', at, at from seed_replies order by id`.execute(
      db,
    );
    await sql`
      insert into reactions (id, activity_id, parent_id, depth, kind, user_id, body, body_html, created_at, updated_at)
      select pg_temp.id_at(t.at), r.activity_id, r.id, 2, 'reply', a.author_id, t.body, '<p>' || t.body || '</p>', t.at, t.at
      from seed_replies r join activities a on a.id = r.activity_id,
        lateral (select least(r.at + random() * interval '2 days', now() - interval '70 minutes') as at,
          pg_temp.one_of(${[...REPLIES]}::text[]) as body where r.body <> '') t
      where random() < 0.4`.execute(db);
    await sql`
      insert into reactions (id, activity_id, depth, kind, user_id, created_at, updated_at)
      select pg_temp.id_at(at), activity_id, 1, 'like', user_id, at, at from (${picks(people * 2)}) d
      on conflict do nothing`.execute(db);
    await sql`analyze reactions`.execute(db);
    await sql`
      select count(put_search_document('reply', r.id::text, r.locale, null, html_text(r.body_html), r.created_at, p.community_id, p.id)::text)
      from reactions r join seed_posts p on p.id = r.activity_id where r.kind = 'reply' and p.removed_at is null`.execute(
      db,
    );
    await settle(db);
  },
};
