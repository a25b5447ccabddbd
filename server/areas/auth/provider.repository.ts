import { sql } from 'kysely';
import type { Role } from '#server/access/viewer.ts';
import type { Db } from '#server/db/client.ts';
import type { ProviderAttempt } from '#server/outside/identity-provider.ts';

type KeptAttempt = ProviderAttempt & { next: string };

export async function insertAttempt(
  db: Db,
  { hash, ttlSeconds, ...attempt }: KeptAttempt & { hash: Buffer; ttlSeconds: number },
): Promise<void> {
  await sql`
    insert into provider_attempts (attempt_hash, state, nonce, verifier, next_path, expires_at)
    values (${hash}, ${attempt.state}, ${attempt.nonce}, ${attempt.verifier}, ${attempt.next},
            now() + make_interval(secs => ${ttlSeconds}))`.execute(db);
}

/** A sign-in that was begun, used up whatever becomes of it. Of any number of callers one gets it. */
export async function takeAttempt(db: Db, hash: Buffer): Promise<KeptAttempt | undefined> {
  const { rows } = await sql<KeptAttempt & { is_live: boolean }>`
    delete from provider_attempts where attempt_hash = ${hash}
    returning state, nonce, verifier, next_path as next, expires_at > now() as is_live`.execute(db);
  const [row] = rows;
  return row?.is_live ? { state: row.state, nonce: row.nonce, verifier: row.verifier, next: row.next } : undefined;
}

export type Identity = { issuer: string; subject: string };

/** Nobody else signs in as this person of the organisation until the transaction ends. */
export async function lockIdentity(db: Db, { issuer, subject }: Identity): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`provider ${issuer} ${subject}`}, 0))`.execute(db);
}

export async function getIdentity(
  db: Db,
  { issuer, subject }: Identity,
): Promise<{ userId: string; granted: Role | null } | undefined> {
  const { rows } = await sql<{ user_id: string; granted_role: Role | null }>`
    select user_id, granted_role from provider_identities where issuer = ${issuer} and subject = ${subject}`.execute(
    db,
  );
  return rows[0] && { userId: rows[0].user_id, granted: rows[0].granted_role };
}

/** Keeps who somebody is at their organisation, what it gave them, and that they have just come. */
export async function putIdentity(
  db: Db,
  { issuer, subject, userId, granted }: Identity & { userId: string; granted: Role | null },
): Promise<void> {
  await sql`
    insert into provider_identities (issuer, subject, user_id, granted_role)
    values (${issuer}, ${subject}, ${userId}, ${granted})
    on conflict (issuer, subject) do update set granted_role = excluded.granted_role, last_used_at = now()`.execute(db);
}
