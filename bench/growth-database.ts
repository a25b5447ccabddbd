import pg from 'pg';
import { migrate } from '../server/db/migrate.ts';
import { JOBS } from '../server/app/jobs.ts';
import { prepareJobs } from '../server/jobs/jobs.ts';
import { query, withDatabase } from '../server/test/cluster.ts';
import { fillBare } from './growth-fill.ts';
import { seedPeople } from './growth-people.ts';
import { countPosts, LARGE, seedPosts } from './growth-posts.ts';
import { idFunctions, sizesOf } from './growth-sizes.ts';

/** Server settings while filling; the product does not use them. */
const QUICK = {
  synchronous_commit: 'off',
  maintenance_work_mem: '1GB',
  work_mem: '128MB',
  jit: 'off',
};

/**
 * Returns the URL of the database `growth_<times>`, with this many times the rows of the base. Reuses a complete one
 * from an earlier run.
 */
export async function openGrown(url: string, times: number, log: (line: string) => void): Promise<string> {
  const name = `growth_${times}`;
  const address = withDatabase(url, name);
  if (await isWhole(url, name)) {
    const changed = await migrate(address);
    if (changed.length > 0) await query(address, 'analyze');
    return address;
  }
  await query(url, `drop database if exists ${name}`);
  await query(url, `create database ${name}`);
  await migrate(address);
  await prepareJobs(address, JOBS);
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    for (const [setting, value] of Object.entries(QUICK)) await client.query(`set ${setting} = '${value}'`);
    const sizes = sizesOf(times);
    await client.query(idFunctions(sizes));
    await seedPeople(client, sizes, log);
    await fillBare(client, LARGE, () => seedPosts(client, sizes, log), log);
    await countPosts(client);
    log('vacuum');
    await client.query('vacuum analyze');
    await client.query(`comment on database ${name} is 'whole'`);
  } finally {
    await client.end();
  }
  return address;
}

async function isWhole(url: string, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select from pg_database where datname = $1 and shobj_description(oid, 'pg_database') = 'whole'`,
      [name],
    );
    return rows.length > 0;
  } finally {
    await client.end();
  }
}
