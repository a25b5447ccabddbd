import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { PublicJwk } from '#server/outside/signing-key.ts';

/** Publishes a key; one that is published stays as it is. */
export async function insertCredentialKey(db: Db, key: { kid: string; publicJwk: PublicJwk }): Promise<void> {
  await sql`
    insert into credential_keys (kid, public_key) values (${key.kid}, ${JSON.stringify(key.publicJwk)})
    on conflict (kid) do nothing`.execute(db);
}

type KeyRow = { kid: string; public_key: PublicJwk };

/** Every key credentials were ever signed with, the newest first. */
export async function findCredentialKeys(db: Db): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select kid, public_key from credential_keys order by created_at desc, kid`.execute(db);
  return rows;
}

/** The withdrawn places from `first` on, counted from there; undefined when no place of the list was ever given. */
export async function getRevokedPlaces(
  db: Db,
  { first, size }: { first: number; size: number },
): Promise<number[] | undefined> {
  const { rows } = await sql<{ is_begun: boolean; revoked: number[] }>`
    select exists (select from credential_statuses where position >= ${first} and position < ${first + size}) as is_begun,
      array(
        select (position - ${first}::bigint)::integer from credential_statuses
        where revoked_at is not null and position >= ${first} and position < ${first + size} order by position) as revoked
  `.execute(db);
  return rows[0]?.is_begun ? rows[0].revoked : undefined;
}
