import type pg from 'pg';

const ROWS = `
  select jsonb_agg(row order by row::text) as rows from (
    select to_jsonb(a) as row from activities a where id = $1
    union all select to_jsonb(r) from reactions r where activity_id = $1
    union all select to_jsonb(p) from activity_people p where activity_id = $1
    union all select to_jsonb(d) from search_documents d where activity_id = $1) found`;

/**
 * Rewrites a sample of posts with their reactions one by one through the product's functions, and throws when a row
 * differs from the seeded one. Rolls everything back.
 */
export async function checkSample(client: pg.ClientBase, many: number): Promise<number> {
  const { rows: sample } = await client.query<{ id: string }>(
    `select id from activities where reply_count < 100 and hashint8(hashtext(id::text)) % 100 = 0 order by id desc limit $1`,
    [many],
  );
  for (const { id } of sample) {
    await client.query('begin');
    try {
      await rewrite(client, id);
    } finally {
      await client.query('rollback');
    }
  }
  return sample.length;
}

async function rewrite(client: pg.ClientBase, id: string): Promise<void> {
  const rowsOf = async () => (await client.query<{ rows: unknown[] }>(ROWS, [id])).rows[0]!.rows; // an aggregate returns one row
  const before = await rowsOf();
  await client.query('create temp table given on commit drop as select * from reactions where activity_id = $1', [id]);
  await client.query('create temp table post on commit drop as select * from activities where id = $1', [id]);
  await client.query('delete from activities where id = $1', [id]);
  await client.query(`
    insert into activities (id, community_id, author_id, verb, title, body, body_html, locale, categories, created_at, updated_at, hot)
    select id, community_id, author_id, verb, title, body, body_html, locale, categories, created_at, created_at,
      activity_hot(0, created_at) from post`);
  // Parents come before their replies.
  const { rows: given } = await client.query<{ id: string }>('select id from given order by depth, id');
  for (const reaction of given)
    await client.query(
      `select add_reaction(id, activity_id, parent_id, user_id, kind, body, body_html, locale, additional_data, mentioned, created_at)
       from given where id = $1`,
      [reaction.id],
    );
  const after = await rowsOf();
  for (const [nth, row] of before.entries())
    if (JSON.stringify(row) !== JSON.stringify(after[nth]))
      throw new Error(`The seed wrote ${JSON.stringify(row)}, the product ${JSON.stringify(after[nth])}`);
  if (after.length !== before.length)
    throw new Error(`The seed wrote ${before.length} rows, the product ${after.length}`);
}
