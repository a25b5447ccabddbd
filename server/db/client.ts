import { createHash } from 'node:crypto';
import { Socket } from 'node:net';
import { CompiledQuery, Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { announcingAfterwards } from './announce.ts';
import { AttentiveClient, SILENCE_MS } from './connection.ts';
import { PersistentDialect, untilWon } from './lost.ts';
import { noteOutage } from './outage.ts';
import type { DB } from './schema.ts';

/** A pool or a transaction: what every repository takes. */
export type Db = Kysely<DB>;

export type Database = {
  db: Db;
  pool: pg.Pool;
  close(): Promise<void>;
  /** Breaks every connection off: what waits for an answer fails at once, what comes next connects anew. */
  cut(): void;
};

// A count is a bigint; ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export type Opening = {
  max?: number;
  onError: (error: Error) => void;
  /** A pooler that lends connections by the transaction is between: it takes no settings of a connection from us. */
  isPooled?: boolean;
  /** Whether statements with a name are prepared under it; such a pooler may not know them. */
  prepares?: boolean;
  /** For a connection, `PATIENCE_MS` when left out. */
  connectionTimeoutMs?: number;
  /** How long the database may say nothing while an answer is awaited, `SILENCE_MS` when left out. */
  silenceMs?: number;
};

/** Prepares nothing under a name, whatever it is asked. */
class NamelessClient extends AttentiveClient {
  override query(...given: unknown[]): never {
    const [first, ...rest] = given;
    const isNamed = typeof first === 'object' && first !== null && 'name' in first && !('submit' in first);
    return super.query(isNamed ? { ...first, name: undefined } : first, ...rest);
  }
}

/**
 * How long a statement may take, of that the wait for a lock, so that those who wait for one row that is held leave
 * connections to all others; and a transaction in which nothing happens.
 */
export const TIMEOUTS = {
  statement_timeout: 5_000,
  lock_timeout: 3_000,
  idle_in_transaction_session_timeout: 10_000,
};

/** How long one waits for a connection: a hall full of people who vote at once are served, one after another. */
const PATIENCE_MS = 4_000;
/**
 * The same for a while after a connection was lost. Then everybody has to wait, some several times in one request, and
 * whoever is told soon to come again leaves the few connections to those whom they can serve.
 */
const HASTE_MS = 1_000;
const HASTY_FOR_MS = 20_000;

/** The statements each connection prepares once, by their text, and the names it prepares them under. */
const PREPARED = new Map<string, string>();

class PreparingClient extends AttentiveClient {
  override query(...given: unknown[]): never {
    const [text, values, ...rest] = given;
    const name = typeof text === 'string' && PREPARED.get(text);
    return name ? super.query({ name, text, values }, ...rest) : super.query(...given);
  }
}

/**
 * Runs a statement that is asked often and takes the database longer to plan than to do: each connection plans it once.
 * Its text must be the same at every call, so no list of values of any length stands in it; each text is kept for good.
 */
export async function runPrepared<Row>(db: Db, statement: RawBuilder<Row>): Promise<Row[]> {
  const compiled = statement.compile(db);
  remember(compiled.sql);
  return (await db.executeQuery<Row>(compiled)).rows;
}

function remember(text: string): void {
  if (!PREPARED.has(text)) PREPARED.set(text, createHash('sha256').update(text).digest('base64url'));
}

/**
 * The same for a statement that is asked most of all: its text is put together once, with `$1` and so on (`sql.raw`)
 * where its values go.
 */
export function prepared<Row>(statement: () => RawBuilder<Row>): (db: Db, values: unknown[]) => Promise<Row[]> {
  let text: string | undefined;
  return async (db, values) => {
    if (text === undefined) remember((text = statement().compile(db).sql));
    return (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows;
  };
}

/** What a pool of ours lends: its `Client` says so. */
const attentive = (client: unknown) => client as AttentiveClient;

/** Lets a pool wait less for its connections for a while, anew from each call. */
function hastening(pool: pg.Pool, patienceMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  // The pool reads it whenever somebody waits.
  const wait = (ms: number) => void (pool.options.connectionTimeoutMillis = ms);
  return () => {
    wait(Math.min(HASTE_MS, patienceMs));
    clearTimeout(timer);
    timer = setTimeout(wait, HASTY_FOR_MS, patienceMs).unref();
  };
}

/**
 * Opens a pool. Waits at most 5 s for a statement, of that 3 s for a lock, and 4 s for a connection, 1 s while the database
 * comes back. A lost connection is logged, not thrown; one that has gone silent is cut.
 */
export function openDatabase(url: string, options: Opening): Database {
  const sockets = new Set<Socket>();
  const { silenceMs = SILENCE_MS, connectionTimeoutMs = PATIENCE_MS } = options;
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
  const hasten = hastening(pool, connectionTimeoutMs);
  pool.on('connect', (client) => {
    // Lost while it is lent out, the statement under way is told; without a listener the process would end.
    client.on('error', () => {
      noteOutage(pool);
      hasten();
    });
    attentive(client).watch();
  });
  pool.on('acquire', (client) => attentive(client).bear(silenceMs));
  const db = new Kysely<DB>({ dialect: new PersistentDialect({ pool }) });
  return {
    db,
    pool,
    close: () => db.destroy(),
    cut() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Ids sort by the time they were made, or by the moment given for what happened before it came here. */
export function newId(at?: Date): string {
  return at ? uuidv7({ msecs: at.getTime() }) : uuidv7();
}

/** The time by which things are decided: nodes may disagree with each other. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  return rows[0]!.now; // one row
}

/** A whole transaction, done again when it lost to another one; `work` may run more than once. */
async function transact<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return await untilWon(async () => await announcingAfterwards(db, (step) => db.transaction().execute(step), work));
}

/** Runs `work` in a transaction, or in a savepoint of the one it is already in. */
export async function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  if (!db.isTransaction) return await transact(db, work);
  const trx = db as Transaction<DB>; // isTransaction just said so
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
