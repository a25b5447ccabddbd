import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import pg from 'pg';
import { openSession } from '../server/access/sessions.ts';
import { openDatabase } from '../server/db/client.ts';
import { connectOrStartEmbedded } from '../server/db/embedded.ts';
import { startProduct } from '../e2e/product.ts';
import { cpuSeconds, familyCpuSeconds } from './cpu.ts';
import { seedCommunity } from './seed.ts';

const POSTS = 10_000;
const CONNECTIONS = 16;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);

type Measured = { name: string; perSecond: number; p50: number; p99: number; serverMs: number; databaseMs: number };

async function load(url: string, cookie: string, seconds: number) {
  return await autocannon({ url, connections: CONNECTIONS, duration: seconds, headers: { cookie } });
}

async function measure(
  name: string,
  url: string,
  cookie: string,
  pids: { server: number; database: number },
): Promise<Measured> {
  await load(url, cookie, 2); // warm
  const [server, database] = [cpuSeconds(pids.server), familyCpuSeconds(pids.database)];
  const result = await load(url, cookie, SECONDS);
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`);
  const requests = result.requests.total;
  return {
    name,
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    serverMs: ((cpuSeconds(pids.server) - server) * 1000) / requests,
    databaseMs: ((familyCpuSeconds(pids.database) - database) * 1000) / requests,
  };
}

function table(rows: Measured[]): string {
  const b = rows[1]?.perSecond ?? 1; // (a) first, (b) second
  const lines = rows.map(
    ({ name, perSecond, p50, p99, serverMs, databaseMs }) =>
      `| ${name} | ${Math.round(perSecond)} | ${p50} | ${p99} | ${serverMs.toFixed(2)} | ${databaseMs.toFixed(2)} | ${(perSecond / b).toFixed(2)} |`,
  );
  return [
    '| what | requests/s | p50 ms | p99 ms | server CPU ms | database CPU ms | ratio to b |',
    '|---|---:|---:|---:|---:|---:|---:|',
    ...lines,
  ].join('\n');
}

/** Measures the feed against the limit of this machine, all in one run, and prints the table. */
const product = await startProduct({ DEMO_CONTENT: 'off' });
const closers: (() => Promise<unknown>)[] = [() => product.stop()];
try {
  const postgres = await connectOrStartEmbedded({ dataDir: product.dataDir, log: () => {} });
  closers.unshift(() => postgres.stop());
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  closers.unshift(() => client.end());
  const { communitySlug, communityId, readerId } = await seedCommunity(client, POSTS);
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const backend = rows[0]?.pid ?? 0;
  const database = openDatabase(postgres.url, { onError: () => {} });
  closers.unshift(() => database.close());
  const cookie = `session=${await openSession(database.db, { userId: readerId })}`;

  const feed = `${product.url}/api/community/communities/${communitySlug}/activities`;
  const answer = await fetch(feed, { headers: { cookie } });
  const items = await answer.text();
  if (answer.status !== 200 || JSON.parse(items).results.length !== 30)
    throw new Error(`The feed answered ${answer.status}: ${items.slice(0, 300)}`);
  const itemsFile = join(product.dataDir, 'items.json');
  await writeFile(itemsFile, items);

  const limits = spawn(
    process.execPath,
    [fileURLToPath(new URL('limits.ts', import.meta.url)), postgres.url, itemsFile, communityId],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_ENV: 'production' },
    },
  );
  closers.unshift(async () => limits.kill());
  const [line] = (await once(limits.stdout, 'data')) as [Buffer];
  const limit = `http://127.0.0.1:${line.toString().trim()}`;

  const postmaster = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${backend}/status`, 'utf8'))?.[1]);
  const ours = { server: product.pid, database: postmaster };
  const theirs = { server: limits.pid ?? 0, database: postmaster };
  const rowsOut = [
    await measure('(a) plain Fastify, the same 30 items from memory', `${limit}/a`, '', theirs),
    await measure('(b) plain Fastify, one prepared query of 30 rows', `${limit}/b`, '', theirs),
    await measure('(c) our feed, signed in, 10 000 posts', feed, cookie, ours),
    await measure('(d) our feed page, HTML, signed in', `${product.url}/communities/${communitySlug}`, cookie, ours),
  ];
  process.stdout.write(
    `${Math.round(items.length / 1024)} kB a feed, ${CONNECTIONS} connections, ${SECONDS} s each\n\n${table(rowsOut)}\n`,
  );
} finally {
  for (const close of closers) await close();
}
