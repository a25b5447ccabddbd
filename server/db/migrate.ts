import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '../config.ts';

const FOLDER = new URL('./migrations/', import.meta.url);
/** Any number, as long as every process of every version uses the same. */
const LOCK = 7_223_105_001;

export type Migration = { name: string; sql: string; hash: string };

/**
 * A backup that runs holds a migration up, and with it the start, but nobody who is served meanwhile: behind a statement
 * that waits for a lock requests wait in turn, so it waits for moments, once a second. Those grow from 25 ms, which is
 * enough where others only come and go, to 2 s. After five minutes the start gives up.
 */
const FIRST_LOCK_WAIT_MS = 25;
const LONGEST_LOCK_WAIT_MS = 2_000;
const TRIES_OF_A_WAIT = 10;
const LOCK_TRIES = 135;
const LOCK_PAUSE_MS = 1_000;
const LOCKED = '55P03';

const lockWaitMs = (tried: number) =>
  Math.min(LONGEST_LOCK_WAIT_MS, FIRST_LOCK_WAIT_MS * 2 ** Math.floor((tried - 1) / TRIES_OF_A_WAIT));

/** The migrations in the order of their names. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).sort();
  const odd = names.find((name) => !/^\d{4}_[a-z0-9-]+\.sql$/.test(name));
  if (odd) throw new Error(`${odd} is not named as a migration is: 0001_some-words.sql`);
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), 'utf8');
      return { name, sql: text, hash: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Brings the database up to date, each file in a transaction of its own. Processes that start together wait for the
 * one that holds the lock. Answers the names it ran; throws when a file that has run was changed since.
 */
export async function migrate(
  url: string,
  log: (line: string) => void = () => {},
  /** `setting`: where the address was set. `migrations`: instead of ours. */
  { setting = 'DATABASE_URL', migrations }: { setting?: string | undefined; migrations?: readonly Migration[] } = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // reported by the statement that was under way
  await client.connect().catch((error: Error) => {
    throw new ConfigError(`${setting}: cannot connect to the database: ${error.message}`, { cause: error });
  });
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())',
    );
    const applied = new Map(
      (await client.query<{ name: string; hash: string }>('select name, hash from migrations')).rows.map((row) => [
        row.name,
        row.hash,
      ]),
    );
    const ran: string[] = [];
    for (const migration of migrations ?? (await readMigrations())) {
      const hash = applied.get(migration.name);
      if (hash === migration.hash) continue;
      if (hash !== undefined) throw new Error(`The migration ${migration.name} was changed after it had run.`);
      log(`migrating ${migration.name}`);
      await runMigration(client, migration, log);
      ran.push(migration.name);
    }
    return ran;
  } finally {
    await client.end();
  }
}

/** Runs one in a transaction of its own; all of it again while somebody else has a lock it needs. */
async function runMigration(client: pg.Client, { name, sql, hash }: Migration, log: (line: string) => void) {
  for (let tried = 1; ; tried++) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${lockWaitMs(tried)}`);
      await client.query(sql);
      await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash]);
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const { code } = error as { code?: unknown }; // PostgreSQL's errors have one
      if (code !== LOCKED || tried === LOCK_TRIES) throw new Error(`The migration ${name} failed`, { cause: error });
      if (tried === 1) log(`${name} waits for others to finish`);
      await pause(LOCK_PAUSE_MS);
    }
  }
}
