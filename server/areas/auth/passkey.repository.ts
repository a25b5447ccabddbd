import { type Selectable, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Passkeys } from '#server/db/schema.ts';

export type PasskeyPurpose = 'register' | 'sign-in' | 'second-factor' | 'confirm';
export type PasskeyRow = Selectable<Passkeys>;

export async function findPasskeys(db: Db, userId: string): Promise<PasskeyRow[]> {
  return await db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute();
}

export async function getPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  return await db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}

/** False when the passkey is already registered. */
export async function insertPasskey(
  db: Db,
  passkey: Omit<PasskeyRow, 'created_at' | 'last_used_at'>,
): Promise<boolean> {
  const row = await db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function updatePasskeyUse(db: Db, { id, counter }: { id: string; counter: number }): Promise<void> {
  await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

export async function updatePasskeyName(
  db: Db,
  { id, userId, name }: { id: string; userId: string; name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deletePasskey(db: Db, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** `userId` is null for sign-ins that start without an account. */
export async function insertPasskeyChallenge(
  db: Db,
  challenge: { hash: Buffer; purpose: PasskeyPurpose; userId: string | null; ttlSeconds: number },
): Promise<void> {
  await db
    .insertInto('passkey_challenges')
    .values({
      challenge_hash: challenge.hash,
      purpose: challenge.purpose,
      user_id: challenge.userId,
      expires_at: sql<Date>`now() + make_interval(secs => ${challenge.ttlSeconds})`,
    })
    .execute();
}

/** Consumes a challenge. Exactly one of several concurrent callers gets true. */
export async function takePasskeyChallenge(
  db: Db,
  challenge: { hash: Buffer; purpose: PasskeyPurpose; userId: string | null },
): Promise<boolean> {
  const row = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', challenge.hash)
    .where('purpose', '=', challenge.purpose)
    .where('user_id', 'is not distinct from', challenge.userId)
    .returning((eb) => sql<boolean>`${eb.ref('expires_at')} > now()`.as('live'))
    .executeTakeFirst();
  return row?.live ?? false;
}
