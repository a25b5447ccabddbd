import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import pg from 'pg';

/**
 * What this machine can do at best with the same answer: (a) Fastify sending the 30 items from memory, (b) the same
 * with one prepared query that fetches them. A process of its own; says its port on standard output.
 */
const [, , databaseUrl, itemsFile, communityId] = process.argv;
if (!databaseUrl || !itemsFile || !communityId) throw new Error('limits.ts <database> <items.json> <community id>');
const items: unknown = JSON.parse(readFileSync(itemsFile, 'utf8'));
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
pool.on('error', (error) => process.stderr.write(`${error.message}\n`));

const app = Fastify();
app.get('/a', async () => items);
app.get('/b', async () => {
  const { rows } = await pool.query({
    name: 'items',
    text: `select a.id, a.verb, a.title, a.body, a.body_html, a.locale, a.categories, a.additional_data, a.like_count, a.reply_count,
                  a.created_at, a.updated_at, u.id as author_id, u.name, u.image_thumbnail, u.job_title, u.organization, u.badges
           from activities a join users u on u.id = a.author_id
           where a.community_id = $1 and a.deleted_at is null order by a.hot desc, a.id desc limit 30`,
    values: [communityId],
  });
  return { results: rows };
});
process.stdout.write(`${new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port}\n`);
