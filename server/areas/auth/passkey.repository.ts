import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type PasskeyPurpose = 'register' | 'sign-in' | 'second-factor' | 'confirm';
export type PasskeyRow = {
  id: string;
  user_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: string;
  transports: string[];
  name: string;
  created_at: Date;
  last_used_at: Date | null;
};

export async function findPasskeys(db: Db, userId: string): Promise<PasskeyRow[]> {
  const { rows } = await sql<PasskeyRow>`select * from passkeys where user_id = ${userId} order by id`.execute(db);
  return rows;
}

export async function getPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  const { rows } = await sql<PasskeyRow>`select * from passkeys where credential_id = ${credentialId}`.execute(db);
  return rows[0];
}

/** False when the passkey is known already. */
export async function insertPasskey(
  db: Db,
  row: Omit<PasskeyRow, 'counter' | 'created_at' | 'last_used_at'> & { counter: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name)
    values (${row.id}, ${row.user_id}, ${row.credential_id}, ${row.public_key}, ${row.counter}, ${row.transports},
            ${row.name})
    on conflict (credential_id) do nothing returning 1`.execute(db);
  return rows.length > 0;
}

export async function updatePasskeyUse(db: Db, { id, counter }: { id: string; counter: number }): Promise<void> {
  await sql`update passkeys set counter = ${counter}, last_used_at = now() where id = ${id}`.execute(db);
}

export async function updatePasskeyName(
  db: Db,
  { id, userId, name }: { id: string; userId: string; name: string },
): Promise<boolean> {
  const { rows } = await sql`
    update passkeys set name = ${name} where id = ${id} and user_id = ${userId} returning 1`.execute(db);
  return rows.length > 0;
}

export async function deletePasskey(db: Db, { id, userId }: { id: string; userId: string }): Promise<boolean> {
  const { rows } = await sql`delete from passkeys where id = ${id} and user_id = ${userId} returning 1`.execute(db);
  return rows.length > 0;
}

/** `userId` is null where nobody is known yet. */
export async function insertPasskeyChallenge(
  db: Db,
  challenge: { hash: Buffer; purpose: PasskeyPurpose; userId: string | null; ttlSeconds: number },
): Promise<void> {
  await sql`
    insert into passkey_challenges (challenge_hash, purpose, user_id, expires_at)
    values (${challenge.hash}, ${challenge.purpose}, ${challenge.userId},
            now() + make_interval(secs => ${challenge.ttlSeconds}))`.execute(db);
}

/** Uses a challenge up. Of any number of callers at the same time one gets true. */
export async function takePasskeyChallenge(
  db: Db,
  challenge: { hash: Buffer; purpose: PasskeyPurpose; userId: string | null },
): Promise<boolean> {
  const { rows } = await sql<{ live: boolean }>`
    delete from passkey_challenges
    where challenge_hash = ${challenge.hash} and purpose = ${challenge.purpose}
      and user_id is not distinct from ${challenge.userId}::uuid
    returning expires_at > now() as live`.execute(db);
  return rows[0]?.live ?? false;
}
