import type pg from 'pg';
import { busiest, type Sizes } from './growth-sizes.ts';
import { vocabulary } from './seed-words.ts';

/** The tables with nearly all of the rows. */
export const LARGE = {
  unlogged: ['activity_people', 'reactions', 'search_documents', 'notifications'],
  logged: ['activities'],
};

const BATCH = 50_000;

const ARABIC = 'البلدية الخطة الجديدة المواطنين الخدمة الطلب المدرسة الميزانية الاجتماع التقرير الشارع المياه'.split(
  ' ',
);
const JAPANESE = '窓口 手続き 申請 市役所 住民 予算 会議 報告 学校 道路 水道 年金'.split(' ');

/**
 * Sample texts. Each post uses one, plus a word `rare<n>` that ten posts share. Word frequencies follow natural text.
 * One text in twenty is Arabic and one is Japanese. Search vectors are stored with the texts so that they are computed
 * once.
 */
async function makeTexts(client: pg.ClientBase): Promise<void> {
  await client.query('select setseed(0.5)');
  const words = (
    n: number,
    power: number,
  ) => `(select string_agg(word, case locale when 'ja' then 'の' else ' ' end) from (
      select words[1 + floor(cardinality(words) * power(random(), ${power}))::int] as word
      from generate_series(1, ${n}) where i > 0) said)`;
  const source = (many: number) => `
    from generate_series(1, ${many}) i,
      lateral (select case i % 20 when 7 then 'ar' when 13 then 'ja' else 'en' end as locale) l,
      lateral (select case locale when 'ar' then $2::text[] when 'ja' then $3::text[] else $1::text[] end as words) w`;
  const values = [vocabulary(5_000), ARABIC, JAPANESE];
  await client.query(
    `create temp table texts as
     select i, locale, title, body, setweight(to_tsvector(search_configuration(locale), search_words(title)), 'A') as title_words,
       to_tsvector(search_configuration(locale), search_words(body)) as body_words
     from (select i, locale, ${words(4, 2)} as title, ${words(20, 3)} as body ${source(4_000)}) t`,
    values,
  );
  await client.query(
    `create temp table reply_texts as
     select i, locale, body, setweight(to_tsvector(search_configuration(locale), search_words(body)), 'C') as words
     from (select i, locale, ${words(6, 3)} as body ${source(1_000)}) t`,
    values,
  );
  await client.query('analyze texts, reply_texts');
}

/**
 * Plans the posts from `first` to `last`: author, community, number of likes and replies. Four of ten go to the largest
 * community, the others to communities of falling size. Each has 0 to 16 likes and 0 to 4 replies, except the busiest,
 * whose numbers grow with the people.
 */
async function shapePosts(client: pg.ClientBase, sizes: Sizes, first: number, last: number): Promise<void> {
  const { people, communities, likesOfBusiest, repliesOfBusiest } = sizes;
  const isBusiest = `n = ${busiest(sizes)}`;
  await client.query('truncate shape');
  await client.query(`
    insert into shape
    select n, pg_temp.activity(n), pg_temp.activity_at(n), pg_temp.community(case when ${isBusiest} or n % 10 < 4 then 1
        else 1 + floor((${communities} - 1)::float8 ^ pg_temp.chance(n, 1))::int end),
      author, pg_temp.person(author),
      case when ${isBusiest} then ${likesOfBusiest} else floor(17 * pg_temp.chance(n, 3))::int end,
      case when ${isBusiest} then ${repliesOfBusiest} else floor(5 * pg_temp.chance(n, 4))::int end,
      case when ${isBusiest} then 5 else 40 end, ${isBusiest}, 1 + floor(4000 * pg_temp.chance(n, 5))::int
    from generate_series(${first}, ${last}) n, lateral (select 1 + floor(${people} * pg_temp.chance(n, 2))::int as author) a`);
  await client.query('analyze shape');
}

/**
 * Step sizes through all people, starting at the author. Neither divides the number of people, so no one repeats early.
 */
const [LIKES, REPLIES] = [7_919, 104_729];
const reactor = (sizes: Sizes, step: number, k = 'k::bigint') =>
  `pg_temp.person(1 + (author - 1 + ${k} * ${step}) % ${sizes.people})`;
/** The third and fourth reply answer the first, except in the busiest thread. */
const isNested = '(k > 2 and not is_busiest)';
const FIRST_REPLY = 'pg_temp.reaction(n, gap, 500001)';

async function writeBatch(client: pg.ClientBase, sizes: Sizes): Promise<void> {
  await client.query(`
    insert into activities (id, community_id, author_id, verb, title, body, body_html, locale, categories, like_count,
      reply_count, people_points, hot, created_at, updated_at)
    select id, community_id, author_id, 'post', t.title, t.body || ' rare' || n / 10,
      '<p>' || t.body || ' rare' || n / 10 || '</p>', t.locale,
      case when n % 1000 = 0 then '{seldom}' when n % 4 = 1 then '{practice}' when n % 4 = 2 then '{questions}'
        when n % 20 = 3 then '{news}' else '{}' end::text[],
      likes, case when is_busiest then replies else least(replies, 2) end, points, activity_hot(points, at), at, at
    from shape join texts t using (i),
      lateral (select likes + 2 * least(replies, ${sizes.people - 1}) as points) p
    order by n`);
  await client.query(`
    insert into reactions (id, activity_id, parent_id, depth, kind, user_id, body, body_html, locale, like_count,
      reply_count, created_at, updated_at)
    select r.id, r.activity_id, r.parent_id, r.depth, r.kind, r.user_id, t.body, '<p>' || t.body || '</p>',
      coalesce(t.locale, 'en'), r.like_count, r.reply_count, r.at, r.at
    from (
      select pg_temp.reaction(n, gap * k, k) as id, id as activity_id, null::uuid as parent_id, 1 as depth, 'like' as kind,
        ${reactor(sizes, LIKES)} as user_id, null::int as i, 0 as like_count, 0 as reply_count,
        pg_temp.reaction_at(n, gap * k) as at
      from shape, generate_series(1, likes) k
      union all
      select pg_temp.reaction(n, gap * k, 500000 + k), id, case when ${isNested} then ${FIRST_REPLY} end,
        case when ${isNested} then 2 else 1 end, 'reply', ${reactor(sizes, REPLIES)}, 1 + (i + k) % 1000,
        case when k = 1 and n % 5 = 0 then 1 else 0 end, case when k = 1 and not is_busiest then greatest(replies - 2, 0) else 0 end,
        pg_temp.reaction_at(n, gap * k)
      from shape, generate_series(1, replies) k
      union all
      select pg_temp.reaction(n, gap * 5, 400000), id, ${FIRST_REPLY}, 2, 'like', author_id, null, 0, 0,
        pg_temp.reaction_at(n, gap * 5)
      from shape where replies > 0 and n % 5 = 0
    ) r left join reply_texts t using (i)
    order by r.id`);
  await client.query(`
    insert into activity_people (activity_id, user_id, kind, times)
    select id, ${reactor(sizes, LIKES)}, 'like', 1 from shape, generate_series(1, likes) k
    union all
    select id, ${reactor(sizes, REPLIES)}, 'reply', (replies - k) / ${sizes.people} + 1
    from shape, generate_series(1, least(replies, ${sizes.people - 1})) k`);
  await client.query(`
    insert into search_documents (kind, object_id, locale, community_id, activity_id, title, body, made_at, title_words, words)
    select 'post', id, t.locale, community_id, id, t.title, ' ' || t.body || ' rare' || n / 10 || ' ', at, t.title_words,
      t.title_words || setweight(t.body_words || to_tsvector(search_configuration(t.locale), 'rare' || n / 10), 'C')
    from shape join texts t using (i) order by n`);
  await client.query(`
    insert into search_documents (kind, object_id, locale, community_id, activity_id, body, made_at, title_words, words)
    select 'reply', pg_temp.reaction(n, gap * k, 500000 + k), t.locale, community_id, id, ' ' || t.body || ' ',
      pg_temp.reaction_at(n, gap * k), '', t.words
    from shape, generate_series(1, replies) k join reply_texts t on true where t.i = 1 + (shape.i + k) % 1000
    order by pg_temp.reaction_at(n, gap * k)`);
  // One author in five has a notification about a reply; three in four of those are read.
  await client.query(`
    insert into notifications (id, user_id, event, object_id, activity_id, since_id, created_at, updated_at, read_at)
    select pg_temp.reaction(n, gap, 1), author_id, 'reply', id, id, ${FIRST_REPLY}, at, at,
      case when n % 20 <> 0 then at + interval '1 hour' end
    from shape where replies > 0 and n % 5 = 0`);
}

/** Inserts posts, reactions, search documents and notifications in batches, then their counters. */
export async function seedPosts(client: pg.ClientBase, sizes: Sizes, log: (line: string) => void): Promise<void> {
  await makeTexts(client);
  await client.query(`
    create temp table shape (n int, id uuid, at timestamptz, community_id uuid, author int, author_id uuid, likes int,
      replies int, gap int, is_busiest boolean, i int)`);
  for (let first = 1; first <= sizes.activities; first += BATCH) {
    await shapePosts(client, sizes, first, Math.min(first + BATCH - 1, sizes.activities));
    await writeBatch(client, sizes);
    log(`posts up to ${first + BATCH - 1}`);
  }
}

/** Rebuilds the counters that the product maintains row by row. */
export async function countPosts(client: pg.ClientBase): Promise<void> {
  await client.query('truncate activity_counts');
  await client.query(`
    insert into activity_counts (community_id, category, part, n)
    select community_id, category, 0, count(*) from activities, unnest(array[''] || categories) category
    where deleted_at is null group by 1, 2`);
  await client.query(`
    insert into figure_changes (figure, week, user_id, amount)
    select 'posts', week_of(created_at), author_id, count(*) from activities group by 2, 3
    union all
    select 'replies', week_of(created_at), user_id, count(*) from reactions where kind = 'reply' group by 2, 3`);
  await client.query('select fold_figures()');
  await client.query('select fold_tallies()');
}
