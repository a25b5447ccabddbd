// Raw SQL: savepoints, and the clock of the database.
import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { type Compilable, CompiledQuery, Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { announcingAfterwards } from './announce.ts';
import { WatchedClient, SILENCE_MS } from './connection.ts';
import { RetryingDialect, withRetries } from './retry.ts';
import { noteOutage } from './outage.ts';
import type { DB } from './schema.ts';

/** A pool or a transaction; the first argument of every repository function. */
export type Db = Kysely<DB>;

export type Database = {
  db: Db;
  pool: pg.Pool;
  close(): Promise<void>;
  /** Closes every connection: waiting queries fail at once, later ones reconnect. */
  cut(): void;
};

// A count is a bigint; ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type Opening = {
  max?: number;
  onError: (error: Error) => void;
  /** A transaction pooler is in between: session settings are not possible. */
  isPooled?: boolean;
  /** Whether statements are prepared by name, which some poolers do not support. */
  prepares?: boolean;
  /** The timeout for a connection; `CONNECTION_TIMEOUT_MS` when left out. */
  connectionTimeoutMs?: number;
  /** How long the database may be silent while a reply is awaited; `SILENCE_MS` when left out. */
  silenceMs?: number;
};

/** Never prepares by name, whatever the query asks. */
class NamelessClient extends WatchedClient {
  override query(...given: unknown[]): never {
    const [first, ...rest] = given;
    const isNamed = typeof first === 'object' && first !== null && 'name' in first && !('submit' in first);
    return super.query(isNamed ? { ...first, name: undefined } : first, ...rest);
  }
}

/**
 * Statement, lock and idle-in-transaction timeouts. The lock timeout is shorter than the statement timeout so that
 * waiters on one hot row cannot drain the pool.
 */
export const TIMEOUTS = {
  statement_timeout: 5_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
};

/** Timeout for a pooled connection; long enough to absorb a burst of votes. */
const CONNECTION_TIMEOUT_MS = 4_000;
/**
 * The shorter timeout for a while after a connection was lost. Everybody waits then, some several times per request;
 * early refusals leave the few connections to requests that can be served.
 */
const RECOVERY_TIMEOUT_MS = 1_000;
const RECOVERY_MS = 20_000;

/** Statement names by text, for statements that each connection prepares once. */
const PREPARED = new Map<string, string>();

class PreparingClient extends WatchedClient {
  override query(...given: unknown[]): never {
    const [text, values, ...rest] = given;
    const name = typeof text === 'string' && PREPARED.get(text);
    return name ? super.query({ name, text, values }, ...rest) : super.query(...given);
  }
}

/**
 * Runs a frequent statement whose planning takes longer than its execution: each connection plans it once. The text
 * must be constant, without lists of variable length, because each text is kept for good.
 */
export async function runPrepared<Row>(db: Db, statement: RawBuilder<Row> | Compilable<Row>): Promise<Row[]> {
  const compiled = statement.compile(db);
  nameStatement(compiled.sql);
  return (await db.executeQuery<Row>(compiled)).rows;
}

/** Prepares a constant text on each connection that sends it from now on. */
export function nameStatement(text: string): void {
  if (!PREPARED.has(text)) PREPARED.set(text, createHash('sha256').update(text).digest('base64url'));
}

/**
 * Like `runPrepared` for the hottest statements: the text is built once, with `$1` and so on (`sql.raw`) in place of
 * the values.
 */
export function prepared<Row>(statement: () => RawBuilder<Row>): (db: Db, values: unknown[]) => Promise<Row[]> {
  let text: string | undefined;
  return async (db, values) => {
    if (text === undefined) nameStatement((text = statement().compile(db).sql));
    return (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows;
  };
}

/** The pool is created with this `Client` class. */
const watched = (client: unknown) => client as WatchedClient;

/** Shortens the pool's connection timeout for a while after each call. */
function timeoutShortener(pool: pg.Pool, timeoutMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  // The pool reads this option for every waiting request.
  const wait = (ms: number) => void (pool.options.connectionTimeoutMillis = ms);
  return () => {
    wait(Math.min(RECOVERY_TIMEOUT_MS, timeoutMs));
    clearTimeout(timer);
    timer = setTimeout(wait, RECOVERY_MS, timeoutMs).unref();
  };
}

/**
 * Opens a pool. Timeouts: 5 s for a statement, of which 3 s for a lock, and 4 s for a connection, 1 s while the
 * database is recovering. A lost connection is logged, not thrown; a silent one is closed.
 */
export function openDatabase(url: string, options: Opening): Database {
  const sockets = new Set<Socket>();
  const { silenceMs = SILENCE_MS, connectionTimeoutMs = CONNECTION_TIMEOUT_MS } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: connectionTimeoutMs,
    ...(options.isPooled ? {} : TIMEOUTS),
    keepAlive: true,
    application_name: 'officium',
    Client: options.prepares === false ? NamelessClient : PreparingClient,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
  });
  pool.on('error', options.onError);
  const shortenTimeout = timeoutShortener(pool, connectionTimeoutMs);
  pool.on('connect', (client) => {
    // The running statement gets the error of a lost connection; without a listener the process would crash.
    client.on('error', () => {
      noteOutage(pool);
      shortenTimeout();
    });
    watched(client).watch();
  });
  pool.on('acquire', (client) => watched(client).setSilenceTimeout(silenceMs));
  const db = new Kysely<DB>({ dialect: new RetryingDialect({ pool }) });
  return {
    db,
    pool,
    close: () => db.destroy(),
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The start of the transaction, by the database's clock, in statements of the query builder. */
export const NOW = sql<Date>`now()`;

/** Ids sort by the time of creation, or by the given time for imported rows. */
export function newId(at?: Date): string {
  return at ? uuidv7({ msecs: at.getTime() }) : uuidv7();
}

/** The database's clock, for decisions: the clocks of nodes may differ. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  return rows[0]!.now; // returns one row
}

/** One transaction, retried after a deadlock or serialization failure; `work` may run more than once. */
async function transact<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return await withRetries(async () => await announcingAfterwards(db, (step) => db.transaction().execute(step), work));
}

/** Runs `work` in a transaction, or in a savepoint of the current one. */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return await transact(db, work);
  const trx = db as Transaction<DB>; // isTransaction was checked above
  const name = `s_${newId().replaceAll('-', '')}`;
  await sql`savepoint ${sql.ref(name)}`.execute(trx);
  try {
    const result = await work(trx);
    await sql`release savepoint ${sql.ref(name)}`.execute(trx);
    return result;
  } catch (error) {
    await sql`rollback to savepoint ${sql.ref(name)}`.execute(trx);
    throw error;
  }
}
