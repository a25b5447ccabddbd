import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { mountedPath } from '../contract/endpoint.ts';
import { openSession } from '../server/access/sessions.ts';
import { openDatabase } from '../server/db/client.ts';
import { connectTo } from './connect.ts';
import { startProduct } from '../e2e/product.ts';
import { startLimits } from './limits-process.ts';
import { isSelected } from './only.ts';
import { circumstances, record } from './record.ts';
import { casesOf, fillPath, findThings, type Case, type Things } from './admin-cases.ts';
import { percentile } from './feed-watch.ts';

/** A database filled by `npm run seed`. Without it the run fills a new one. */
const GIVEN = process.env['BENCH_DATABASE_URL'];
const PEOPLE = process.env['BENCH_PEOPLE'] ?? '100000';
const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 100);
const MANY = 8;
const SLOW_MS = 100;

type Latencies = { p50: number; p95: number };
type Request = { url: string; init: RequestInit };
type Row = { name: string; alone: Latencies; together: Latencies };

/** Latencies of this many clients, each sending one request after another. Throws on a refusal. */
async function latenciesOf(requestOf: (n: number) => Request, clients: number): Promise<Latencies> {
  const latencies: number[] = [];
  let next = 0;
  const client = async () => {
    while (next < REQUESTS) {
      const { url, init } = requestOf((next += 1));
      const startedAt = performance.now();
      const answer = await fetch(url, init);
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${answer.status} ${text.slice(0, 120)}`);
      latencies.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  latencies.sort((one, other) => one - other);
  return { p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95) };
}

async function measure(name: string, requestOf: (n: number) => Request): Promise<Row> {
  for (let n = 0; n < 6; n += 1) await fetch(requestOf(n).url, requestOf(n).init).then((answer) => answer.text()); // warm
  return { name, alone: await latenciesOf(requestOf, 1), together: await latenciesOf(requestOf, MANY) };
}

function requestOf(given: Case, things: Things, base: string, cookie: string): (n: number) => Request {
  return (n) => {
    const { query, body, params } = given.request(n);
    const path = fillPath(mountedPath(given.endpoint), things, { n, params }) ?? '';
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

/** Uploads a file of 1 000 addresses to each of the largest cohorts, as administrators do before an upload. */
async function createDrafts({ cohorts, emails }: Things, base: string, cookie: string): Promise<string[]> {
  const lines = Array.from({ length: 1_000 }, (_, n) => (n % 2 ? emails[n % emails.length] : `new-${n}@example.gov`));
  const drafts: string[] = [];
  for (const cohort of cohorts.slice(0, 10)) {
    const body = new FormData();
    body.set('file', new File([`email\n${lines.join('\n')}\n`], 'people.csv', { type: 'text/csv' }));
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(`${base}/api/admin/cohorts/${cohort}/drafts`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`Upload of addresses failed: ${answer.status} ${await answer.text()}`);
    drafts.push(((await answer.json()) as { id: string }).id); // shape declared by the contract
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
  if (code !== 0) throw new Error('Seeding the database failed.');
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
  things.drafts = await createDrafts(things, product.url, cookie);
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
    if (!isSelected({ name })) continue;
    if (fillPath(mountedPath(given.endpoint), things, { n: 0, params: given.request(0).params }) === undefined) {
      unknown.push(`${name}: no id is known for ${given.endpoint.path}`);
      continue;
    }
    try {
      measured.push(await measure(name, requestOf(given, things, product.url, cookie)));
    } catch (error) {
      refused.push(`${name}: ${(error as Error).message}`); // latenciesOf throws Errors
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
