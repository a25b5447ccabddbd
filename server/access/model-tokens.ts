// Raw SQL: the reservation and its settlement are functions of the database, which lock and count.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/**
 * The result of a reservation: taken, or refused because the user's tokens, everybody's tokens or the concurrent calls
 * are used up.
 */
export type Taken = 'taken' | 'person' | 'everybody' | 'busy';

/** Reserves tokens for a call, in one statement, so that concurrent calls cannot exceed the limit. */
export async function takeTokens(
  db: Db,
  call: { id: string; userId: string; tokens: number },
  limits: { aPerson: number; aDay: number; atOnce: number },
): Promise<Taken> {
  const { rows } = await sql<{ taken: Taken }>`
    select take_ai_tokens(${call.id}, ${call.userId}, ${call.tokens}, ${limits.aPerson}, ${limits.aDay}, ${limits.atOnce})
      as taken`.execute(db);
  return rows[0]!.taken; // the function always returns a row
}

/** Replaces a call's reservation by its real usage, once; usage beyond the reservation counts too. */
export async function settleTokens(db: Db, id: string, used: number): Promise<void> {
  await sql`select settle_ai_tokens(${id}, ${used})`.execute(db);
}
