import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { PublicJwk } from '#server/outside/signing-key.ts';

/** Publishes a key. Does nothing if it is already published. */
export async function insertCredentialKey(db: Db, key: { kid: string; publicJwk: PublicJwk }): Promise<void> {
  await db
    .insertInto('credential_keys')
    .values({ kid: key.kid, public_key: JSON.stringify(key.publicJwk) })
    .onConflict((conflict) => conflict.column('kid').doNothing())
    .execute();
}

type KeyRow = { kid: string; public_key: PublicJwk };

/** Every key ever used to sign credentials, newest first. */
export async function findCredentialKeys(db: Db): Promise<KeyRow[]> {
  return await db
    .selectFrom('credential_keys')
    .select((eb) => ['kid', eb.ref('public_key').$castTo<PublicJwk>().as('public_key')])
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute();
}

/** Revoked positions of a status list, relative to `first`. Undefined if no position of the list was ever assigned. */
export async function getRevokedPositions(
  db: Db,
  { first, size }: { first: number; size: number },
): Promise<number[] | undefined> {
  const { isBegun, revoked } = await db
    .selectNoFrom((eb) => {
      const list = eb
        .selectFrom('credential_statuses')
        .where('position', '>=', first)
        .where('position', '<', first + size);
      const positions = list
        .select((of) => sql<number>`(${of.ref('position')} - ${first}::bigint)::integer`.as('position'))
        .where('revoked_at', 'is not', null)
        .orderBy('credential_statuses.position');
      return [
        eb.exists(list.select('position')).$castTo<boolean>().as('isBegun'),
        sql<number[]>`array(${positions})`.as('revoked'),
      ];
    })
    .executeTakeFirstOrThrow();
  return isBegun ? revoked : undefined;
}
