import { setTimeout as pause } from 'node:timers/promises';
import { COURSES } from './cases-write.ts';
import { processTree, residentMb } from './cpu.ts';
import type { Machine } from './measure.ts';
import { isSelective } from './only.ts';
import { measureOperations, POSTS } from './operations.ts';
import { measurePages } from './pages.ts';
import { openBenchProduct } from './product.ts';
import { seedCourses } from './seed-course.ts';
import { findPlaces, seedPlaces } from './seed-places.ts';
import { findThings, seedCommunity } from './seed.ts';

const isPagesOnly = process.argv.includes('--pages');

/** Measures the first two tables of docs/performance.md in one run, and prints them: pages, then every operation. */
const product = await openBenchProduct();
try {
  await product.start();
  const first = await product.connect();
  if (!(await findThings(first.client))) {
    await seedCommunity(first.client, POSTS);
    await seedCourses(first.client, COURSES);
  }
  if ((await findPlaces(first.client)).length === 0) await seedPlaces(first.client);
  await product.stop();

  const { pid, seconds } = await product.start();
  const { client, databaseUrl } = await product.connect();
  await pause(2_000); // lets the jobs of the start finish
  const idleMb = residentMb(processTree(pid));
  const things = await findThings(client);
  if (!things) throw new Error('seeding produced no rows');
  const machine: Machine = { url: product.url, pid, client };
  if (isPagesOnly || !isSelective) await measurePages(machine, databaseUrl);
  if (!isPagesOnly) await measureOperations(machine, { databaseUrl, things, idleMb, seconds });
} finally {
  await product.close();
}
