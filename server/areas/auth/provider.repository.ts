import { sql } from 'kysely';
import type { Role } from '#server/access/viewer.ts';
import { lockName } from '#server/db/advisory-lock.ts';
import type { Db } from '#server/db/client.ts';
import type { ProviderAttempt } from '#server/outside/identity-provider.ts';

type StoredAttempt = ProviderAttempt & { next: string };

export async function insertAttempt(
  db: Db,
  { hash, ttlSeconds, ...attempt }: StoredAttempt & { hash: Buffer; ttlSeconds: number },
): Promise<void> {
  await db
    .insertInto('provider_attempts')
    .values({
      attempt_hash: hash,
      state: attempt.state,
      nonce: attempt.nonce,
      verifier: attempt.verifier,
      next_path: attempt.next,
      expires_at: sql<Date>`now() + make_interval(secs => ${ttlSeconds})`,
    })
    .execute();
}

/** Consumes a started sign-in, even if it then fails. Exactly one of several concurrent callers gets it. */
export async function takeAttempt(db: Db, hash: Buffer): Promise<StoredAttempt | undefined> {
  const row = await db
    .deleteFrom('provider_attempts')
    .where('attempt_hash', '=', hash)
    .returning((eb) => [
      'state',
      'nonce',
      'verifier',
      'next_path as next',
      sql<boolean>`${eb.ref('expires_at')} > now()`.as('is_live'),
    ])
    .executeTakeFirst();
  return row?.is_live ? { state: row.state, nonce: row.nonce, verifier: row.verifier, next: row.next } : undefined;
}

export type Identity = { issuer: string; subject: string };

/** Serialises sign-ins with this identity until the transaction ends. */
export async function lockIdentity(db: Db, { issuer, subject }: Identity): Promise<void> {
  await lockName(db, `provider ${issuer} ${subject}`);
}

export async function getIdentity(
  db: Db,
  { issuer, subject }: Identity,
): Promise<{ userId: string; granted: Role | null } | undefined> {
  return await db
    .selectFrom('provider_identities')
    .select(['user_id as userId', 'granted_role as granted'])
    .$narrowType<{ granted: Role | null }>()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Links an identity at the organisation to a user, with the role it gave and the time of this sign-in. */
export async function putIdentity(
  db: Db,
  { issuer, subject, userId, granted }: Identity & { userId: string; granted: Role | null },
): Promise<void> {
  await db
    .insertInto('provider_identities')
    .values({ issuer, subject, user_id: userId, granted_role: granted })
    .onConflict((conflict) =>
      conflict
        .columns(['issuer', 'subject'])
        .doUpdateSet((eb) => ({ granted_role: eb.ref('excluded.granted_role'), last_used_at: sql<Date>`now()` })),
    )
    .execute();
}
