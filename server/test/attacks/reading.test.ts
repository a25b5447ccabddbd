import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { isStream } from '@officium/contract/endpoint';
import { ensurePushKeys } from '#server/areas/notifications/push.service.ts';
import { requestOf } from '../authority/requests.ts';
import { makeSubject } from '../authority/subjects.ts';
import { readRows, TABLES } from '../authority/table.ts';
import { ask, contextOf, makeFixture, operationOf } from '../authority/fixture.ts';

const fixture = await makeFixture();
const { db } = fixture.test.ctx;
await ensurePushKeys(fixture.test.ctx); // as the first start does

/** A hash of each table's rows. */
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

/** Side effects of reads that are allowed: the audit log and passages cut for the assistant. */
const NOTED = new Set(['audit_log']);
/** The contract lets this GET sign in, with a one-time secret that expires within a minute. */
const SIGNS_IN = 'exchangeToken';

it('a GET changes nothing, so that no link or picture of another site can act for a viewer', async () => {
  const rows = TABLES.flatMap((table) => readRows(table).map((row) => ({ table, row })));
  const reads = rows.filter(({ row }) => {
    const endpoint = operationOf(row.name);
    return endpoint.method === 'GET' && endpoint.name !== SIGNS_IN && !isStream(endpoint);
  });
  expect(reads.length).toBeGreaterThan(80);
  const changed: string[] = [];
  const done = new Set<string>();
  for (const { table, row } of reads) {
    const context = contextOf(fixture, table);
    const subject = await makeSubject(context, 'administrator');
    const sent = await requestOf(row.name, { fixture, ...context, me: subject.person! }); // an administrator has an account
    const before = await contents();
    const { status } = await ask(fixture.test, subject, operationOf(row.name), sent);
    if (status < 400) done.add(operationOf(row.name).name);
    const after = await contents();
    for (const [name, all] of after)
      if (before.get(name) !== all && !NOTED.has(name)) changed.push(`${row.name}: ${name}`);
  }
  expect(changed).toEqual([]);
  expect(done.size).toBeGreaterThan(50);
}, 240_000);
