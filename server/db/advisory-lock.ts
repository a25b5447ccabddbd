// Raw SQL: advisory locks are functions without a table.
import { sql } from 'kysely';
import type { Db } from './client.ts';

/** Waits for the lock of this name, which the transaction holds until it ends. */
export async function lockName(db: Db, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db);
}

/** The same lock, shared: its holders wait only for those who hold it alone. */
export async function lockNameShared(db: Db, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(db);
}

/** Takes the lock of this name until the transaction ends, without waiting; false while another holds it. */
export async function tryLockName(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked`.execute(db);
  return rows[0]?.locked ?? false;
}
