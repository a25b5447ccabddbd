import { setTimeout as pause } from 'node:timers/promises';
import { loadavg } from 'node:os';
import { createCohort, createUpload, listUploads } from '../contract/admin.ts';
import { mountedPath } from '../contract/endpoint.ts';
import { openSession } from '../server/access/sessions.ts';
import { newId, openDatabase } from '../server/db/client.ts';
import { connectTo } from './connect.ts';
import { startProduct } from '../e2e/product.ts';
import { percentile, watchFeed } from './feed-watch.ts';
import { seedCommunity } from './seed.ts';

const ADDRESSES = Number(process.env['BENCH_ADDRESSES'] ?? 100_000);
const QUIET_SECONDS = 20;

/**
 * Uploads addresses to a cohort while people read a feed of 10 000 posts, all on this machine. Reports how long
 * acceptance and placement take, how fast mails are sent, and the feed latencies.
 */
const product = await startProduct({ DEMO_CONTENT: 'off' });
const closers: (() => Promise<unknown>)[] = [() => product.stop()];
try {
  const { client, databaseUrl, close: disconnect } = await connectTo(product);
  closers.unshift(disconnect);
  const { communitySlug, viewerId } = await seedCommunity(client, 10_000);
  const adminId = newId();
  await client.query(
    `insert into users (id, name, email, role, email_proven_at) values ($1, 'Admin', 'admin@example.gov', 'administrator', now())`,
    [adminId],
  );
  // One in ten has an account.
  await client.query(
    `insert into users (id, name, email, email_proven_at)
     select new_id(), 'Learner', 'learner-' || n * 10 || '@example.gov', now() from generate_series(0, $1::int / 10 - 1) n`,
    [ADDRESSES],
  );
  const database = openDatabase(databaseUrl, { onError: () => {} });
  closers.unshift(() => database.close());
  const cookieOf = async (userId: string) => `session=${await openSession(database.db, { userId })}`;
  const [viewer, admin] = [await cookieOf(viewerId), await cookieOf(adminId)];
  // any: responses of the operations called below
  const call = async (method: string, path: string, body?: unknown): Promise<any> => {
    const answer = await fetch(`${product.url}${path}`, {
      method,
      headers: {
        cookie: admin,
        'sec-fetch-site': 'same-origin',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      body: body ? JSON.stringify(body) : undefined,
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return await answer.json();
  };
  const cohort = await call('POST', mountedPath(createCohort), {
    name: 'Bench',
    type: 'LEARNERS',
    primaryPartner: 'B',
  });
  const uploads = mountedPath(createUpload).replace('{id}', cohort.id);
  const emails = Array.from({ length: ADDRESSES }, (_, nth) => `learner-${nth}@example.gov`);
  const feed = `${product.url}/api/community/communities/${communitySlug}/activities`;

  const load = loadavg()[0]?.toFixed(1);
  await watchFeed(feed, viewer).stop();
  const warm = watchFeed(feed, viewer);
  await pause(3_000);
  await warm.stop();
  const quiet = watchFeed(feed, viewer);
  await pause(QUIET_SECONDS * 1000);
  const before = await quiet.stop();

  const busy = watchFeed(feed, viewer);
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  await call('POST', uploads, { slug: 'bench', emails });
  const accepted = seconds();
  const list = mountedPath(listUploads).replace('{id}', cohort.id);
  while ((await call('GET', list)).uploads[0].status !== 'done') await pause(2_000);
  const placed = seconds();
  const during = await busy.stop();

  const countSent = async () =>
    (await client.query(`select count(*)::int as n from mails where status = 'sent' and kind = 'cohort_invitation'`))
      .rows[0].n as number;
  while ((await countSent()) === 0) await pause(1_000); // mails wait until all addresses are placed
  const mailing = watchFeed(feed, viewer);
  const sentBefore = await countSent();
  await pause(QUIET_SECONDS * 1000);
  const mailsPerSecond = ((await countSent()) - sentBefore) / QUIET_SECONDS;
  const after = await mailing.stop();

  const row = (name: string, sorted: number[]) =>
    `| ${name} | ${sorted.length} | ${percentile(sorted, 0.5).toFixed(1)} | ${percentile(sorted, 0.95).toFixed(1)} | ${percentile(sorted, 1).toFixed(0)} | ${(percentile(sorted, 0.95) / percentile(before, 0.95)).toFixed(2)} |`;
  process.stdout.write(
    [
      `${ADDRESSES} addresses, load ${load} at the start: accepted in ${accepted.toFixed(1)} s, placed after ${placed.toFixed(1)} s, then ${mailsPerSecond.toFixed(0)} mails a second`,
      '',
      '| feed | requests | p50 ms | p95 ms | longest ms | p95 to before |',
      '|---|---:|---:|---:|---:|---:|',
      row('before', before),
      row('while people are placed', during),
      row('while mails go out', after),
      '',
    ].join('\n'),
  );
} finally {
  for (const close of closers) await close();
}
