import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** What became of asking for tokens: they are taken, or used up by the person or by all, or enough calls are under way. */
export type Taken = 'taken' | 'person' | 'everybody' | 'busy';

/** Takes tokens for a call, in one statement: however many ask at once, no more are taken than there are. */
export async function takeTokens(
  db: Db,
  call: { id: string; userId: string; tokens: number },
  limits: { aPerson: number; aDay: number; atOnce: number },
): Promise<Taken> {
  const { rows } = await sql<{ taken: Taken }>`
    select take_ai_tokens(${call.id}, ${call.userId}, ${call.tokens}, ${limits.aPerson}, ${limits.aDay}, ${limits.atOnce})
      as taken`.execute(db);
  return rows[0]!.taken; // it always answers
}

/** Puts right what a call took, once; what was used beyond it counts too. */
export async function settleTokens(db: Db, id: string, used: number): Promise<void> {
  await sql`select settle_ai_tokens(${id}, ${used})`.execute(db);
}
