import { rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbedded } from '../server/db/embedded/embedded.ts';
import { checkSample } from './growth-check.ts';
import { openGrown } from './growth-database.ts';
import { type Cost, measureProduct } from './growth-product.ts';
import { plansPage } from './growth-plans-page.ts';
import { compare, report } from './growth-report.ts';
import { circumstances, record } from './record.ts';

const { values: given } = parseArgs({
  options: {
    dir: { type: 'string' },
    times: { type: 'string', default: '1000' },
    keep: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    plans: { type: 'string' },
  },
});
/** Deleting a post, which the product never does, scans all reactions. */
const SAMPLE = 3;
const log = (line: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

type Measured = { costs: Cost[]; rows: Map<string, number>; gigabytes: number };

async function measure(url: string): Promise<Measured> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    log(`${await checkSample(client, SAMPLE)} rewritten posts equal the seeded ones`);
    const { rows } = await client.query<{ name: string; n: number }>(
      `select relname as name, reltuples::float8 as n from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    );
    const { rows: size } = await client.query<{ gigabytes: number }>(
      `select pg_database_size(current_database())::float8 / 1e9 as gigabytes`,
    );
    const costs = await measureProduct(url, log);
    return { costs, rows: new Map(rows.map(({ name, n }) => [name, n])), gigabytes: size[0]!.gigabytes }; // one row
  } finally {
    await client.end();
  }
}

/** The same costs with the lower CPU of two runs. */
const lowerCpu = (costs: Cost[], others: Cost[]) =>
  costs.map((cost, nth) => ({ ...cost, ms: Math.min(cost.ms, others[nth]?.ms ?? cost.ms) }));

/**
 * Compares the cost of the product's requests in a database of 10 000 posts and in one of `--times` as many, in one
 * run. `--dir` holds the databases; `--keep` leaves them for a later run. `--plans <file>` writes the statements with their
 * plans.
 */
if (!given.dir) throw new Error('--dir <folder>: where to put the databases');
const times = Number(given.times);
const postgres = await startEmbedded({ dataDir: given.dir, log, isSuperuser: true });
try {
  const urls = [await openGrown(postgres.url, 1, log), await openGrown(postgres.url, times, log)] as const;
  const [base, grown] = [await measure(urls[0]), await measure(urls[1])];
  // Alternate a second time, since other load on the machine varies.
  base.costs = lowerCpu(base.costs, await measureProduct(urls[0], log));
  grown.costs = lowerCpu(grown.costs, await measureProduct(urls[1], log));
  const compared = compare(base, grown);
  await record('bench:growth', report({ times, base, grown, compared, circumstances: circumstances() }));
  if (given.plans) await writeFile(given.plans, plansPage({ times, costs: grown.costs }));
  if (compared.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
} finally {
  await postgres.stop();
  if (!given.keep) await rm(given.dir, { recursive: true, force: true });
}
