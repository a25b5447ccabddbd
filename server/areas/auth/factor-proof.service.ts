import { randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@officium/contract/second-factor';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import type { Limit } from '#server/limits/limits.ts';
import { countFailures } from './failures.service.ts';
import { getTotp, replaceRecoveryCodes, useRecoveryCode, useTotpStep } from './second-factor.repository.ts';
import { base32, stepOf } from './totp.policy.ts';

/** Three codes are right at any moment, of a million: ten tries are one chance in 30 000. */
const WRONG_CODES: Limit = { max: 10, windowSeconds: 15 * 60 };

/** Checks a second-factor code and counts failures per account. */
export async function countingTries(ctx: Ctx, userId: string, check: () => Promise<boolean>): Promise<boolean> {
  return await countFailures(ctx, [{ key: `second-factor:${userId}`, limit: WRONG_CODES }], check);
}

/** Whether a code is one of the app's, and uses it up. An app that was never confirmed counts only to confirm it. */
export async function useAppCode(
  ctx: Ctx,
  db: Db,
  { userId, code, confirms = false }: { userId: string; code: string; confirms?: boolean },
): Promise<boolean> {
  const row = await getTotp(db, userId);
  const secret = row && ctx.seal.open(row.secret, userId);
  if (row && !secret) ctx.log.warn({ userId }, 'second factor sealed with another SECRET_KEY');
  if (!row || !secret || row.confirmed === confirms) return false;
  const step = stepOf(secret, code, row.epoch);
  return step !== undefined && (await useTotpStep(db, { userId, step }));
}

/** A recovery code as it is compared: people leave the dash out, and write small letters. */
function plain(code: string): string {
  return code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
}

export async function useRecovery(ctx: Ctx, db: Db, given: { userId: string; code: string }): Promise<boolean> {
  const { userId, code } = given;
  return await useRecoveryCode(db, { userId, hash: ctx.seal.hash(plain(code), userId) });
}

/** Ten codes of 50 bits in place of whatever there was. */
export async function makeRecoveryCodes(ctx: Ctx, db: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(7)).slice(0, 10));
  await replaceRecoveryCodes(db, { userId, hashes: codes.map((code) => ctx.seal.hash(code, userId)) });
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}
