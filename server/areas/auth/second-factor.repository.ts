import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type TotpRow = { secret: Buffer; confirmed: boolean; epoch: number };

/** The secret an app has, with the time by the database's clock. */
export async function getTotp(db: Db, userId: string): Promise<TotpRow | undefined> {
  const { rows } = await sql<TotpRow>`
    select secret, confirmed_at is not null as confirmed, extract(epoch from clock_timestamp())::float8 as epoch
    from totp_factors where user_id = ${userId}`.execute(db);
  return rows[0];
}

/** Keeps a secret that is not confirmed yet; false when there is one that is. */
export async function insertTotp(db: Db, { userId, secret }: { userId: string; secret: Buffer }): Promise<boolean> {
  const { rows } = await sql`
    insert into totp_factors as t (user_id, secret) values (${userId}, ${secret})
    on conflict (user_id) do update set secret = excluded.secret, last_step = 0, created_at = now()
      where t.confirmed_at is null
    returning 1`.execute(db);
  return rows.length > 0;
}

/** Uses up the code of a step, and with it those before; false when that was done already. */
export async function useTotpStep(db: Db, { userId, step }: { userId: string; step: number }): Promise<boolean> {
  const { rows } = await sql`
    update totp_factors set last_step = ${step}, confirmed_at = coalesce(confirmed_at, now())
    where user_id = ${userId} and last_step < ${step} returning 1`.execute(db);
  return rows.length > 0;
}

export async function deleteTotp(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`
    delete from totp_factors where user_id = ${userId} and confirmed_at is not null returning 1`.execute(db);
  return rows.length > 0;
}

export async function replaceRecoveryCodes(
  db: Db,
  { userId, hashes }: { userId: string; hashes: Buffer[] },
): Promise<void> {
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(db);
  if (hashes.length === 0) return;
  await sql`
    insert into recovery_codes (user_id, code_hash)
    values ${sql.join(hashes.map((hash) => sql`(${userId}, ${hash})`))}`.execute(db);
}

export async function useRecoveryCode(db: Db, { userId, hash }: { userId: string; hash: Buffer }): Promise<boolean> {
  const { rows } = await sql`
    update recovery_codes set used_at = now()
    where user_id = ${userId} and code_hash = ${hash} and used_at is null returning 1`.execute(db);
  return rows.length > 0;
}

export type Factors = { totp: boolean; passkeys: number; recoveryCodes: number };

export async function getFactors(db: Db, userId: string): Promise<Factors> {
  const { rows } = await sql<Factors>`
    select exists (select from totp_factors where user_id = ${userId} and confirmed_at is not null) as totp,
      (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
      (select count(*)::int from recovery_codes where user_id = ${userId} and used_at is null) as "recoveryCodes"`.execute(
    db,
  );
  return rows[0] ?? { totp: false, passkeys: 0, recoveryCodes: 0 };
}

/** Whether sign-ins to the account need a second factor, as its factors say. */
export async function updateHasFactor(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ second_factor: boolean }>`
    update users set second_factor =
      exists (select from totp_factors t where t.user_id = users.id and t.confirmed_at is not null)
      or exists (select from passkeys p where p.user_id = users.id)
    where id = ${userId} and erased_at is null returning second_factor`.execute(db);
  return rows[0]?.second_factor ?? false;
}

/** Takes all of a person's factors away. */
export async function deleteFactors(db: Db, userId: string): Promise<void> {
  await sql`delete from totp_factors where user_id = ${userId}`.execute(db);
  await sql`delete from passkeys where user_id = ${userId}`.execute(db);
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(db);
  await sql`delete from passkey_challenges where user_id = ${userId}`.execute(db);
}
