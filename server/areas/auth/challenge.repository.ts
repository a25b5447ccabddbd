import { sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import type { Json } from '#server/db/schema.ts';

export type ChallengeKind =
  | 'sign-up'
  | 'sign-up-link'
  | 'login-link'
  | 'session-token'
  | 'onboarding'
  | 'password-reset'
  | 'email-change'
  | 'second-factor'
  | 'confirmation';
export type Consumed = { userId: string; detail: Record<string, unknown> };

/** A code is void after this many wrong attempts. */
const MAX_ATTEMPTS = 5;

export async function insertChallenge(
  db: Db,
  challenge: {
    kind: ChallengeKind;
    userId: string;
    secretHash: Buffer;
    ttlSeconds: number;
    detail?: Record<string, unknown>;
  },
): Promise<void> {
  await db
    .insertInto('challenges')
    .values({
      id: newId(),
      kind: challenge.kind,
      user_id: challenge.userId,
      secret_hash: challenge.secretHash,
      detail: JSON.stringify(challenge.detail ?? {}),
      expires_at: sql<Date>`now() + make_interval(secs => ${challenge.ttlSeconds})`,
    })
    .execute();
}

type Secret = { kind: ChallengeKind; secretHash: Buffer };

function toConsumed(row: { user_id: string; detail: Json } | undefined): Consumed | undefined {
  return row && { userId: row.user_id, detail: row.detail as Record<string, unknown> }; // always stored as an object
}

/** Returns the owner of a valid secret without consuming it. */
export async function getChallenge(db: Db, { kind, secretHash }: Secret): Promise<Consumed | undefined> {
  const row = await db
    .selectFrom('challenges')
    .select(['user_id', 'detail'])
    .where('secret_hash', '=', secretHash)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return toConsumed(row);
}

/** Consumes a secret. Exactly one of several concurrent callers gets the challenge. */
export async function consumeChallenge(db: Db, { kind, secretHash }: Secret): Promise<Consumed | undefined> {
  const row = await db
    .updateTable('challenges')
    .set({ used_at: sql<Date>`now()` })
    .where('secret_hash', '=', secretHash)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['user_id', 'detail'])
    .executeTakeFirst();
  return toConsumed(row);
}

/** Voids the user's unused challenges: those of the given kinds, or all. */
export async function endChallenges(db: Db, userId: string, kinds?: ChallengeKind[]): Promise<void> {
  await db
    .updateTable('challenges')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .$if(kinds !== undefined, (query) => query.where('kind', '=', sql<string>`any(${kinds}::text[])`))
    .execute();
}

/**
 * Takes one attempt from the user's newest code of a kind and returns the code while it is valid; older codes are void.
 * Attempts are taken before comparing, so that parallel attempts stay within the limit.
 */
export async function takeCodeAttempt(
  db: Db,
  { userId, kind }: { userId: string; kind: ChallengeKind },
): Promise<{ id: string; secretHash: Buffer } | undefined> {
  return await db
    .updateTable('challenges')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('challenges')
        .select('id')
        .where('user_id', '=', userId)
        .where('kind', '=', kind)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1),
    )
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('attempts', '<', MAX_ATTEMPTS)
    .returning(['id', 'secret_hash as secretHash'])
    .executeTakeFirst();
}

/** Takes one attempt from a challenge and returns its owner while it is valid. */
export async function takeChallengeAttempt(db: Db, { kind, secretHash }: Secret): Promise<Consumed | undefined> {
  const row = await db
    .updateTable('challenges')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('secret_hash', '=', secretHash)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('attempts', '<', MAX_ATTEMPTS)
    .returning(['user_id', 'detail'])
    .executeTakeFirst();
  return toConsumed(row);
}

/** Consumes a code; false when it was already used or has expired. */
export async function consumeCode(db: Db, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('challenges')
    .set({ used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
