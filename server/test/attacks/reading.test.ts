import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { isStream } from '@officium/contract/endpoint';
import { requestOf } from '../authority/requests.ts';
import { makeSubject } from '../authority/subjects.ts';
import { readRows, TABLES } from '../authority/table.ts';
import { ask, groundOf, makeWorld, operationOf } from '../authority/world.ts';

const world = await makeWorld();
const { db } = world.test.ctx;

/** What stands in each table, in one word. */
async function contents(): Promise<Map<string, string>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(db);
  const found = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await sql<{ all: string }>`
      select md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as all from ${sql.table(name)} t`.execute(db);
    found.set(name, rows[0]?.all ?? '');
  }
  return found;
}

/** What reading leaves behind: who looked is noted, a text is cut up for the assistant when it is first needed. */
const NOTED = new Set(['audit_log']);
/** By the contract this one signs in: with a secret that works once and for a minute. */
const SIGNS_IN = 'exchangeToken';

it('a GET changes nothing, so that a link or a picture of another site can make nobody do anything', async () => {
  const rows = TABLES.flatMap((table) => readRows(table).map((row) => ({ table, row })));
  const reads = rows.filter(({ row }) => {
    const endpoint = operationOf(row.name);
    return endpoint.method === 'GET' && endpoint.name !== SIGNS_IN && !isStream(endpoint);
  });
  expect(reads.length).toBeGreaterThan(80);
  const changed: string[] = [];
  const done = new Set<string>();
  for (const { table, row } of reads) {
    const ground = groundOf(world, table);
    const subject = await makeSubject(ground, 'administrator');
    const sent = await requestOf(row.name, { world, ...ground, me: subject.person! }); // an administrator is somebody
    const before = await contents();
    const { status } = await ask(world.test, subject, operationOf(row.name), sent);
    if (status < 400) done.add(operationOf(row.name).name);
    const after = await contents();
    for (const [name, all] of after)
      if (before.get(name) !== all && !NOTED.has(name)) changed.push(`${row.name}: ${name}`);
  }
  expect(changed).toEqual([]);
  expect(done.size).toBeGreaterThan(50);
}, 240_000);
