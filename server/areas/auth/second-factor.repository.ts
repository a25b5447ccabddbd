import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type TotpRow = { secret: Buffer; confirmed: boolean; epoch: number };

/** The app's secret, with the current time by the database's clock. */
export async function getTotp(db: Db, userId: string): Promise<TotpRow | undefined> {
  return await db
    .selectFrom('totp_factors')
    .select((eb) => [
      'secret',
      eb('confirmed_at', 'is not', null).as('confirmed'),
      sql<number>`extract(epoch from clock_timestamp())::float8`.as('epoch'),
    ])
    .$narrowType<{ confirmed: boolean }>()
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Stores an unconfirmed secret. False when a confirmed one exists. */
export async function insertTotp(db: Db, { userId, secret }: { userId: string; secret: Buffer }): Promise<boolean> {
  const row = await db
    .insertInto('totp_factors')
    .values({ user_id: userId, secret })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet((eb) => ({ secret: eb.ref('excluded.secret'), last_step: 0, created_at: sql<Date>`now()` }))
        .where('totp_factors.confirmed_at', 'is', null),
    )
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Consumes the code of a step and all earlier ones. False when it was already used. */
export async function useTotpStep(db: Db, { userId, step }: { userId: string; step: number }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totp_factors')
    .set((eb) => ({ last_step: step, confirmed_at: eb.fn.coalesce('confirmed_at', sql<Date>`now()`) }))
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function deleteTotp(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('totp_factors')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function replaceRecoveryCodes(
  db: Db,
  { userId, hashes }: { userId: string; hashes: Buffer[] },
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  await db
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

export async function useRecoveryCode(db: Db, { userId, hash }: { userId: string; hash: Buffer }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export type Factors = { totp: boolean; passkeys: number; recoveryCodes: number };

export async function getFactors(db: Db, userId: string): Promise<Factors> {
  const count = sql<number>`count(*)::int`.as('count');
  return await db
    .selectNoFrom((eb) => [
      eb
        .exists(
          eb
            .selectFrom('totp_factors')
            .select('user_id')
            .where('user_id', '=', userId)
            .where('confirmed_at', 'is not', null),
        )
        .$castTo<boolean>()
        .as('totp'),
      eb.selectFrom('passkeys').select(count).where('user_id', '=', userId).$asScalar().$notNull().as('passkeys'),
      eb
        .selectFrom('recovery_codes')
        .select(count)
        .where('user_id', '=', userId)
        .where('used_at', 'is', null)
        .$asScalar()
        .$notNull()
        .as('recoveryCodes'),
    ])
    .executeTakeFirstOrThrow();
}

/** Recomputes `users.second_factor` from the stored factors and returns it. */
export async function updateHasFactor(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .updateTable('users')
    .set((eb) => {
      const totp = eb.selectFrom('totp_factors as t').select('t.user_id').whereRef('t.user_id', '=', 'users.id');
      const passkeys = eb.selectFrom('passkeys as p').select('p.id').whereRef('p.user_id', '=', 'users.id');
      const hasFactor = eb.or([eb.exists(totp.where('t.confirmed_at', 'is not', null)), eb.exists(passkeys)]);
      return { second_factor: hasFactor.$castTo<boolean>() };
    })
    .where('id', '=', userId)
    .where('erased_at', 'is', null)
    .returning('second_factor')
    .executeTakeFirst();
  return row?.second_factor ?? false;
}

/** Deletes all second factors of a user. */
export async function deleteFactors(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('totp_factors').where('user_id', '=', userId).execute();
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute();
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await db.deleteFrom('passkey_challenges').where('user_id', '=', userId).execute();
}
