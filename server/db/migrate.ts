import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { ConfigError } from '../errors.ts';
import { BASELINE, BEFORE_TABLES, readSchema, type Schema, type SqlFile } from './schema-files.ts';

/** An arbitrary number, the same in every process of every version. */
const LOCK = 7_223_105_001;
/** A database that has run this migration has the tables of the baseline. */
const LAST_BEFORE_BASELINE = '0064_linear-excerpts.sql';

/**
 * A migration waits for a lock only briefly, once a second, because requests queue behind a waiting statement. The
 * waits grow from 25 ms, enough among short transactions, to 2 s. After five minutes the start fails.
 */
const FIRST_LOCK_WAIT_MS = 25;
const LONGEST_LOCK_WAIT_MS = 2_000;
const TRIES_OF_A_WAIT = 10;
const LOCK_TRIES = 135;
const LOCK_PAUSE_MS = 1_000;
/** lock_not_available, and deadlock_detected, which a file with many triggers may meet. */
const LOCKED = ['55P03', '40P01'];

const lockWaitMs = (tried: number) =>
  Math.min(LONGEST_LOCK_WAIT_MS, FIRST_LOCK_WAIT_MS * 2 ** Math.floor((tried - 1) / TRIES_OF_A_WAIT));

const BOOKS = `
  create table if not exists migrations (
    name text primary key, hash text not null, applied_at timestamptz not null default now());
  create table if not exists function_files (
    name text primary key, hash text not null, version integer not null, applied_at timestamptz not null default now())`;

/**
 * Brings the database up to date: functions that tables depend on, the baseline and the migrations, then the changed
 * functions. Processes that start together wait for the lock. Returns the names of the files it ran; throws when a
 * migration was changed after it had run.
 */
export async function migrate(
  url: string,
  log: (line: string) => void = () => {},
  /** `setting`: the setting with the address. `schema`: instead of the product's own. */
  { setting = 'DATABASE_URL', schema }: { setting?: string | undefined; schema?: Schema } = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // the running statement reports it
  await client.connect().catch((error: Error) => {
    throw new ConfigError(`${setting}: cannot connect to the database: ${error.message}`, { cause: error });
  });
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(BOOKS);
    const { migrations, functions, functionsVersion } = schema ?? (await readSchema());
    const pending = await findPending(client, migrations, setting);
    const changed = await findChanged(client, functions, functionsVersion, log);
    const first = changed.filter(({ name }) => name === BEFORE_TABLES);
    const rest = changed.filter(({ name }) => name !== BEFORE_TABLES);
    await applyFunctions(client, first, functionsVersion, log);
    for (const migration of pending) await runMigration(client, migration, log);
    await applyFunctions(client, rest, functionsVersion, log);
    return [...first, ...pending, ...rest].map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** The pending migrations. Records the baseline where the older migrations have created its tables. */
async function findPending(
  client: pg.Client,
  migrations: readonly SqlFile[],
  setting: string,
): Promise<readonly SqlFile[]> {
  const { rows } = await client.query<{ name: string; hash: string }>(
    'select name, hash from migrations order by name',
  );
  const applied = new Map(rows.map(({ name, hash }) => [name, hash]));
  const baseline = migrations.find(({ name }) => name === BASELINE);
  if (baseline && applied.size > 0 && !applied.has(BASELINE)) {
    if (!applied.has(LAST_BEFORE_BASELINE))
      throw new ConfigError(
        `${setting}: the database is older than this version can upgrade: it ends with ${rows.at(-1)?.name}, and ${LAST_BEFORE_BASELINE} is needed.`,
      );
    await note(client, baseline);
    applied.set(BASELINE, baseline.hash);
  }
  const altered = migrations.find(({ name, hash }) => applied.has(name) && applied.get(name) !== hash);
  if (altered) throw new Error(`The migration ${altered.name} was changed after it had run.`);
  return migrations.filter(({ name }) => !applied.has(name));
}

/** The function files that differ from the database's; empty when a newer release's are in place. */
async function findChanged(
  client: pg.Client,
  functions: readonly SqlFile[],
  ours: number,
  log: (line: string) => void,
): Promise<readonly SqlFile[]> {
  const { rows } = await client.query<{ name: string; hash: string; version: number }>(
    'select name, hash, version from function_files',
  );
  const newest = Math.max(0, ...rows.map(({ version }) => version));
  if (newest > ours) {
    log(`leaving the functions of a newer release in place (version ${newest}, ours is ${ours})`);
    return [];
  }
  return functions.filter(({ name, hash }) => !rows.some((row) => row.name === name && row.hash === hash));
}

async function note(client: pg.Client, { name, hash }: SqlFile): Promise<void> {
  await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash]);
}

async function runMigration(client: pg.Client, migration: SqlFile, log: (line: string) => void): Promise<void> {
  log(`migrating ${migration.name}`);
  await untilUnlocked(client, migration.name, log, async () => {
    await client.query(migration.sql);
    await note(client, migration);
  });
}

/** Applies the files in one transaction, since functions call those of other files. */
async function applyFunctions(
  client: pg.Client,
  files: readonly SqlFile[],
  version: number,
  log: (line: string) => void,
): Promise<void> {
  if (files.length === 0) return;
  const names = files.length > 3 ? `${files.length} files of functions` : files.map(({ name }) => name).join(', ');
  log(`applying ${names}`);
  await untilUnlocked(client, names, log, async () => {
    for (const { name, sql, hash } of files) {
      await client.query(sql).catch((error: Error) => {
        error.message = `${name}: ${error.message}`;
        throw error;
      });
      await client.query(
        `insert into function_files (name, hash, version) values ($1, $2, $3)
         on conflict (name) do update set hash = excluded.hash, version = excluded.version, applied_at = now()`,
        [name, hash, version],
      );
    }
  });
}

/** Runs the work in one transaction; retries all of it while another transaction holds a lock it needs. */
async function untilUnlocked(
  client: pg.Client,
  name: string,
  log: (line: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${lockWaitMs(tried)}`);
      await work();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      const { code } = error as { code?: unknown }; // PostgreSQL errors have a code
      if (!LOCKED.some((locked) => locked === code) || tried === LOCK_TRIES)
        throw new Error(`The migration ${name} failed`, { cause: error });
      if (tried === 1) log(`${name} waits for others to finish`);
      await pause(LOCK_PAUSE_MS);
    }
  }
}
