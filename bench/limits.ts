import Fastify from 'fastify';
import pg from 'pg';

/**
 * Baselines of this machine: a static buffer (`/s`), one prepared query of 30 rows serialised here (`/q`) or in the
 * database (`/r`), and one durable insert (`/i`). Runs in its own process and prints its port.
 */
const [, , databaseUrl, communityId] = process.argv;
if (!databaseUrl || !communityId) throw new Error('Usage: limits.ts <database> <community id>');
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
pool.on('error', (error) => process.stderr.write(`${error.message}\n`));
await pool.query(
  'create table if not exists bench_inserts (id bigint generated always as identity primary key, body text not null)',
);
await pool.query('drop table if exists bench_texts');
await pool.query(`
  create table bench_texts (id uuid primary key, text text not null);
  insert into bench_texts select a.id, btrim(row_to_json(post)::text, '{}')
    from activities a join users u on u.id = a.author_id cross join lateral (
      select a.id, a.verb, a.title, a.body, a.body_html as "bodyHtml", a.locale, a.categories, a.additional_data,
        a.created_at as "createdAt", a.updated_at as "updatedAt",
        json_build_object('id', u.id, 'name', u.name, 'thumbnail', u.image_thumbnail, 'jobTitle', u.job_title,
          'organization', u.organization, 'badges', u.public_badges) as actor) post;
  analyze bench_texts`);

const JSON_TYPE = 'application/json; charset=utf-8';
const STATIC = Buffer.from(JSON.stringify({ text: 'x'.repeat(25 * 1024 - 11) }));
const SOURCE = `from activities a join users u on u.id = a.author_id
  where a.community_id = $1 and a.deleted_at is null order by a.hot desc, a.id desc limit 30`;
const ROWS = {
  name: 'rows',
  text: `select a.id, a.verb, a.title, a.body, a.body_html, a.locale, a.categories, a.additional_data, a.like_count,
      a.reply_count, a.created_at, a.updated_at, u.id as author_id, u.name, u.image_thumbnail, u.job_title,
      u.organization, u.badges ${SOURCE}`,
  values: [communityId],
};
/** The cheapest way from rows to text: JSON stored when the rows were written. */
const TEXT = {
  name: 'text',
  text: `select '{"results":[' || coalesce(string_agg(json, ','), '') || ']}' as json from (
    select concat('{', t.text, ',"like":', a.like_count, ',"reply":', a.reply_count, '}') as json
    from (select a.id, a.hot, a.like_count, a.reply_count from activities a
      where a.community_id = $1 and a.deleted_at is null order by a.hot desc, a.id desc limit 30) a
    join bench_texts t on t.id = a.id order by a.hot desc, a.id desc) one`,
  values: [communityId],
};
const INSERT = { name: 'insert', text: 'insert into bench_inserts (body) values ($1)', values: ['x'.repeat(200)] };

const app = Fastify();
app.get('/s', (_request, reply) => reply.header('content-type', JSON_TYPE).send(STATIC));
app.get('/q', async () => {
  const { rows } = await pool.query(ROWS);
  return { results: rows };
});
app.get('/r', async (_request, reply) => {
  const { rows } = await pool.query<{ json: string }>(TEXT);
  return reply
    .header('content-type', JSON_TYPE)
    .serializer((text: string) => text)
    .send(rows[0]?.json);
});
app.post('/i', async (_request, reply) => {
  await pool.query(INSERT);
  return reply.code(204).send();
});
process.stdout.write(`${new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port}\n`);
