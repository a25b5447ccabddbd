import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { DB } from './schema.ts';

/** A pool or a transaction: what every repository takes. */
export type Db = Kysely<DB>;

export type Database = { db: Db; pool: pg.Pool; close(): Promise<void> };

// A count is a bigint; ours stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Opens a pool. Waits at most 5 s for a statement, and 4 s for a connection: a hall full of people who vote at once are
 * served, one after another. A lost connection is logged, not thrown.
 */
export function openDatabase(url: string, options: { max?: number; onError: (error: Error) => void }): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: 4_000,
    statement_timeout: 5_000,
    idle_in_transaction_session_timeout: 10_000,
    keepAlive: true,
    application_name: 'officium',
  });
  pool.on('error', options.onError);
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}

/** Ids sort by the time they were made, or by the moment given for what happened before it came here. */
export function newId(at?: Date): string {
  return at ? uuidv7({ msecs: at.getTime() }) : uuidv7();
}

/** SQLSTATEs of a deadlock and of a serialisation failure: what lost to another transaction will do when done again. */
const LOST = ['40P01', '40001'];
const TRIES = 3;

/** A whole transaction, done again when it lost to another one; `work` may run more than once. */
async function transact<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      const { code } = error as { code?: unknown }; // PostgreSQL's errors have one
      if (tried === TRIES || !LOST.includes(String(code))) throw error;
      await new Promise((later) => setTimeout(later, Math.random() * 50 * tried));
    }
  }
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
