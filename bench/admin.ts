import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { mountedPath } from '../contract/endpoint.ts';
import { openSession } from '../server/access/sessions.ts';
import { openDatabase } from '../server/db/client.ts';
import { connectTo } from './connect.ts';
import { startProduct } from '../e2e/product.ts';
import { startLimits } from './limits-process.ts';
import { isWanted } from './only.ts';
import { circumstances, record } from './record.ts';
import { casesOf, fillPath, findThings, type Case, type Things } from './admin-cases.ts';

/** A database that `npm run seed` has filled; without it one is filled here. */
const GIVEN = process.env['BENCH_DATABASE_URL'];
const PEOPLE = process.env['BENCH_PEOPLE'] ?? '100000';
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 100);
const MANY = 8;
const SLOW_MS = 100;

type Waits = { p50: number; p95: number };
type Request = { url: string; init: RequestInit };
type Row = { name: string; alone: Waits; together: Waits };

const at = (sorted: number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;

/** Waits of so many clients, each asking one request after another. Throws what is refused. */
async function waitsOf(requestOf: (n: number) => Request, clients: number): Promise<Waits> {
  const waits: number[] = [];
  let next = 0;
  const client = async () => {
    while (next < REQUESTS) {
      const { url, init } = requestOf((next += 1));
      const begun = performance.now();
      const answer = await fetch(url, init);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 120)}`);
      waits.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  waits.sort((one, other) => one - other);
  return { p50: at(waits, 0.5), p95: at(waits, 0.95) };
}

async function measure(name: string, requestOf: (n: number) => Request): Promise<Row> {
  for (let n = 0; n < 6; n += 1) await fetch(requestOf(n).url, requestOf(n).init).then((answer) => answer.text()); // warm
  return { name, alone: await waitsOf(requestOf, 1), together: await waitsOf(requestOf, MANY) };
}

function requestOf(given: Case, things: Things, base: string, cookie: string): (n: number) => Request {
  return (n) => {
    const { query, body, places } = given.ask(n);
    const path = fillPath(mountedPath(given.endpoint), things, { n, places }) ?? '';
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const headers = {
      cookie,
      'sec-fetch-site': 'same-origin',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    return {
      url: base + path + search,
      init: { method: given.endpoint.method, headers, body: body === undefined ? undefined : JSON.stringify(body) },
    };
  };
}

/** Brings a file of 1 000 addresses to each of the largest cohorts, as administrators do before an upload. */
async function bringDrafts({ cohorts, emails }: Things, base: string, cookie: string): Promise<string[]> {
  const lines = Array.from({ length: 1_000 }, (_, n) => (n % 2 ? emails[n % emails.length] : `new-${n}@example.gov`));
  const drafts: string[] = [];
  for (const cohort of cohorts.slice(0, 10)) {
    const body = new FormData();
    body.set('file', new File([`email\n${lines.join('\n')}\n`], 'people.csv', { type: 'text/csv' }));
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${base}/api/admin/cohorts/${cohort}/drafts`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`A file of addresses: ${answer.status} ${await answer.text()}`);
    drafts.push(((await answer.json()) as { id: string }).id); // as the contract says
  }
  return drafts;
}

function table(rows: Row[], limit: Row): string {
  const ms = (value: number) => value.toFixed(1);
  return [
    `| operation | p50 ms | p95 ms | p95 ms, ${MANY} at once | p50 to limit | slow |`,
    '|---|---:|---:|---:|---:|---|',
    ...rows.map(
      ({ name, alone, together }) =>
        `| ${name} | ${ms(alone.p50)} | ${ms(alone.p95)} | ${ms(together.p95)} | ${ms(alone.p50 / limit.alone.p50)} | ${alone.p95 > SLOW_MS ? 'yes' : ''} |`,
    ),
  ].join('\n');
}

async function fill(env: Record<string, string>): Promise<void> {
  const script = fileURLToPath(new URL('../server/cli/seed.ts', import.meta.url));
  const child = spawn(process.execPath, [script, '--people', PEOPLE], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error('The database was not filled.');
}

const product = await startProduct(GIVEN ? { DATABASE_URL: GIVEN } : {});
const closers: (() => Promise<unknown>)[] = [() => product.stop()];
try {
  const own = GIVEN ?? product.databaseUrl;
  if (!GIVEN) await fill(own ? { DATABASE_URL: own } : { DATA_DIR: product.dataDir });
  const { client, databaseUrl, close: disconnect } = await connectTo({ databaseUrl: own, dataDir: product.dataDir });
  closers.unshift(disconnect);
  const things = await findThings(client);
  const { rows } = await client.query<{ admin: string; community: string }>(
    `select (select id from users where email = 'admin@example.gov') as admin,
            (select id from communities order by activity_count(id) desc limit 1) as community`,
  );
  const found = rows[0]!; // a row of two values
  const database = openDatabase(databaseUrl, { onError: () => {} });
  closers.unshift(() => database.close());
  const cookie = `session=${await openSession(database.db, { userId: found.admin })}`;
  things.drafts = await bringDrafts(things, product.url, cookie);
  const limit = await startLimits(databaseUrl, found.community);
  closers.unshift(limit.stop);

  const ofLimit = await measure('(Q) plain Fastify, one prepared query of 30 rows', () => ({
    url: `${limit.url}/q`,
    init: {},
  }));
  const measured: Row[] = [ofLimit];
  const refused: string[] = [];
  const unknown: string[] = [];
  for (const given of casesOf(things)) {
    const name = given.what ? `${given.endpoint.name}, ${given.what}` : given.endpoint.name;
    if (!isWanted({ name })) continue;
    if (fillPath(mountedPath(given.endpoint), things, { n: 0, places: given.ask(0).places }) === undefined) {
      unknown.push(`${name}: nothing is known to stand in ${given.endpoint.path}`);
      continue;
    }
    try {
      measured.push(await measure(name, requestOf(given, things, product.url, cookie)));
    } catch (error) {
      refused.push(`${name}: ${(error as Error).message}`); // waitsOf throws Errors
    }
  }
  const slow = measured
    .slice(1)
    .filter(({ alone }) => alone.p95 > SLOW_MS)
    .map(({ name }) => name);
  const { rows: sizes } = await client.query<{ people: number; cohorts: number; members: number }>(
    `select (select count(*) from users)::int as people, (select count(*) from cohorts)::int as cohorts,
      (select count(*) from cohort_members)::int as members`,
  );
  const { people, cohorts, members } = sizes[0]!; // a row of three numbers
  await record(
    'bench:admin',
    [
      `${people} people, ${cohorts} cohorts, ${members} memberships; ${REQUESTS} requests each, ${circumstances()}.`,
      table(measured, ofLimit),
      `${slow.length} of ${measured.length - 1} are slower than ${SLOW_MS} ms at the 95th percentile${slow.length > 0 ? `: ${slow.join('; ')}` : ''}.`,
      ...(unknown.length > 0 ? [`Not measured:\n\n${unknown.map((line) => `- ${line}`).join('\n')}`] : []),
    ].join('\n\n'),
  );
  for (const line of refused) process.stderr.write(`Refused: ${line}\n`);
  if (slow.length > 0 || refused.length > 0) process.exitCode = 1;
} finally {
  for (const close of closers) await close();
}
