import type pg from 'pg';

const SYLLABLES = [
  'ba',
  'do',
  'fer',
  'gin',
  'ha',
  'kel',
  'lo',
  'mar',
  'ni',
  'po',
  'ren',
  'sul',
  'ta',
  'vi',
  'wen',
  'zo',
];
const FREQUENT = (
  'people service office form letter council permit question answer team budget report school housing health water ' +
  'street station pension tax payment deadline meeting minister department region village record archive survey'
).split(' ');
const ARABIC = 'البلدية الخطة الجديدة المواطنين الخدمة الطلب المدرسة الميزانية الاجتماع التقرير الشارع المياه'.split(
  ' ',
);
const JAPANESE = '窓口 手続き 申請 市役所 住民 予算 会議 報告 学校 道路 水道 年金'.split(' ');

/** A vocabulary of `size` words, most frequent first: some real ones, then made-up ones. */
export function vocabulary(size: number): string[] {
  const made = Array.from({ length: size - FREQUENT.length }, (_, n) =>
    [n >> 8, n >> 4, n].map((part) => SYLLABLES[part % 16]).join(''),
  );
  return [...FREQUENT, ...made];
}

/**
 * Posts in the community `bench` with natural word frequencies. Each has a word `rare<n>` that ten posts share. Five
 * of a hundred are Arabic and five Japanese, the rest English.
 */
export async function seedWords(client: pg.ClientBase, posts: number): Promise<void> {
  await client.query('select setseed(0.5)');
  await client.query(
    `
    with people as (select array_agg(id order by id) ids from users where email like 'bench-%'),
    texts as materialized (
      select n, locale, now() - interval '7 minutes' * ($1::int - n) as at,
        (select string_agg(word, case locale when 'ja' then 'の' else ' ' end) from (
           select words[1 + floor(cardinality(words) * power(random(), 3))::int] as word
           from generate_series(1, case locale when 'en' then 60 else 20 end) where n > 0) said) || ' rare' || n / 10 as body,
        (select string_agg(word, ' ') from (
           select words[1 + floor(cardinality(words) * power(random(), 2))::int] as word
           from generate_series(1, 5) where n > 0) said) as title
      from generate_series(1, $1::int) n,
        lateral (select case n % 20 when 7 then 'ar' when 13 then 'ja' else 'en' end as locale) l,
        lateral (select case locale when 'ar' then $3::text[] when 'ja' then $4::text[] else $2::text[] end as words) w)
    insert into activities (id, community_id, author_id, verb, locale, title, body, body_html, hot, created_at, updated_at)
    select new_id(), c.id, ids[1 + n % 100], 'post', t.locale, t.title, t.body, '<p>' || t.body || '</p>', 0, at, at
    from texts t, people, communities c where c.slug = 'bench'`,
    [posts, vocabulary(5_000), ARABIC, JAPANESE],
  );
  await client.query('vacuum analyze');
}
