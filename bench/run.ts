import { setTimeout as pause } from 'node:timers/promises';
import { openSession } from '../server/access/sessions.ts';
import { openDatabase } from '../server/db/client.ts';
import { type Case, type Limit, tryCase } from './cases.ts';
import { readCases } from './cases-read.ts';
import { COURSES, writeCases } from './cases-write.ts';
import { processTree, residentMb } from './cpu.ts';
import { startLimits } from './limits-process.ts';
import { CONNECTIONS, type Machine, measure, REQUESTS, SECONDS } from './measure.ts';
import { isSelected } from './only.ts';
import { openBenchProduct } from './product.ts';
import { circumstances, record } from './record.ts';
import { seedCourses } from './seed-course.ts';
import { findThings, seedCommunity } from './seed.ts';
import { type Limits, type Row, table, verdictOf } from './table.ts';

const POSTS = 10_000;
const READY_SECONDS = 3;
const IDLE_MB = 200;

/**
 * Measures every operation of the table in docs/performance.md against the baselines of this machine, in one run, and
 * prints the table.
 */
const product = await openBenchProduct();
const closers: (() => Promise<unknown>)[] = [() => product.close()];
try {
  await product.start();
  const first = await product.connect();
  if (!(await findThings(first.client))) {
    await seedCommunity(first.client, POSTS);
    await seedCourses(first.client, COURSES);
  }
  await product.stop();

  const { pid, seconds } = await product.start();
  const { client, databaseUrl } = await product.connect();
  await pause(2_000); // lets the jobs of the start finish
  const idleMb = residentMb(processTree(pid));
  const things = await findThings(client);
  if (!things) throw new Error('seeding produced no rows');
  const database = openDatabase(databaseUrl, { onError: () => {} });
  closers.unshift(() => database.close());
  const cookies: string[] = [];
  for (const userId of things.personIds) cookies.push(`session=${await openSession(database.db, { userId })}`);

  const cases: Case[] = [...readCases(things, cookies[0] ?? ''), ...writeCases(things, cookies)].filter(isSelected);
  const limit = await startLimits(databaseUrl, things.communityId);
  closers.unshift(limit.stop);
  const ofLimits: Machine = { url: limit.url, pid: limit.pid, client };
  const limits = {} as Limits; // the loop fills all four
  for (const name of ['S', 'Q', 'R', 'I'] as Limit[])
    limits[name] = await measure(name, ofLimits, {
      request: () => ({ method: name === 'I' ? 'POST' : 'GET', path: `/${name.toLowerCase()}` }),
    });

  const machine: Machine = { url: product.url, pid, client };
  const rows: Row[] = [];
  for (const one of cases) {
    await tryCase(one, product.url);
    rows.push({ name: one.name, target: one.target, measured: await measure(one.name, machine, one) });
  }
  await client.query('drop table bench_inserts');
  const missed = rows.filter((row) => !verdictOf(row, limits).isMet);
  await record(
    'bench',
    [
      `${POSTS} posts, 100 people, ${CONNECTIONS} connections, ${REQUESTS > 0 ? `${REQUESTS} requests` : `${SECONDS} s`} each, ${circumstances()}.`,
      table(rows, limits),
      `Start to ready with this data: ${seconds.toFixed(1)} s (target: ${READY_SECONDS} s). Resident memory of the idle server: ${idleMb.toFixed(0)} MB (target: ${IDLE_MB} MB).`,
      `${missed.length} of ${rows.length} miss their target${missed.length > 0 ? `: ${missed.map(({ name }) => name).join('; ')}` : ''}.`,
    ].join('\n\n'),
  );
} finally {
  for (const close of closers) await close();
}
