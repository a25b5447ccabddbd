import { randomBytes } from 'node:crypto';
import { RECOVERY_CODES } from '@officium/contract/second-factor';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import type { Limit } from '#server/limits/limits.ts';
import { countFailures } from './failures.service.ts';
import { getTotp, replaceRecoveryCodes, useRecoveryCode, useTotpStep } from './second-factor.repository.ts';
import { base32, stepOf } from './totp.policy.ts';

/** Three of a million codes are valid at any moment, so ten attempts succeed once in 30 000. */
const WRONG_CODES: Limit = { max: 10, windowSeconds: 15 * 60 };

/** Runs a second-factor check and counts failures per account. */
export async function countingAttempts(ctx: Ctx, userId: string, check: () => Promise<boolean>): Promise<boolean> {
  return await countFailures(ctx, [{ key: `second-factor:${userId}`, limit: WRONG_CODES }], check);
}

/** Verifies and consumes an app code. An unconfirmed app is accepted only when `confirms` is set. */
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

/** Normalises a recovery code for comparison: case and dashes do not matter. */
function plain(code: string): string {
  return code.toUpperCase().replaceAll(/[^A-Z2-7]/g, '');
}

export async function useRecovery(ctx: Ctx, db: Db, given: { userId: string; code: string }): Promise<boolean> {
  const { userId, code } = given;
  return await useRecoveryCode(db, { userId, hash: ctx.seal.hash(plain(code), userId) });
}

/** Replaces the recovery codes with ten new ones of 50 bits. */
export async function makeRecoveryCodes(ctx: Ctx, db: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(7)).slice(0, 10));
  await replaceRecoveryCodes(db, { userId, hashes: codes.map((code) => ctx.seal.hash(code, userId)) });
  return codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`);
}
