import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { addressKey, giveBack, takeLimit, type Limit } from '#server/http/limits.ts';
import { takeTurnsByKey } from '#server/outside/turns.ts';
import { isPassword } from './password-hash.ts';

const FAILURES: Record<'account' | 'address', Limit> = {
  account: { max: 10, windowSeconds: 15 * 60 },
  // An office behind one address has many people.
  address: { max: 100, windowSeconds: 15 * 60 },
};

// What is being compared holds an allowance, so that right passwords at once must not hold them all.
const inTurnOfAccount = takeTurnsByKey({ running: 1, waiting: 500 });
const inTurnOfAddress = takeTurnsByKey({ running: 4, waiting: 500 });

/**
 * Compares a password, counting failures by account and by address of origin: 429 when there were too many. An
 * allowance is taken before the comparison and given back when it succeeds, so that many tries at once count too.
 */
export async function tryPassword(
  ctx: Ctx,
  given: { account: string; address: string; password: string; storedHash: string | null | undefined },
): Promise<boolean> {
  const byAccount = `password:account:${given.account}`;
  const byAddress = `password:address:${addressKey(given.address)}`;
  const compare = async () => {
    await takeLimit(ctx, byAccount, FAILURES.account);
    await takeLimit(ctx, byAddress, FAILURES.address);
    const isRight = await isPassword(given.password, given.storedHash);
    if (isRight) {
      await giveBack(ctx, byAccount);
      await giveBack(ctx, byAddress);
    }
    return isRight;
  };
  return await inTurnOfAccount(byAccount, () => inTurnOfAddress(byAddress, compare));
}

const MAILS: [string, Limit][] = [
  ['quarter', { max: 3, windowSeconds: 15 * 60 }],
  ['day', { max: 10, windowSeconds: 24 * 3600 }],
];

/**
 * May one more mail that a stranger can cause go to this address? Answers instead of throwing: an error would tell
 * whether the address has an account.
 */
export async function mayMail(ctx: Ctx, email: string): Promise<boolean> {
  try {
    for (const [window, limit] of MAILS) await takeLimit(ctx, `mail:${window}:${email}`, limit);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'request.too_many') return false;
    throw error;
  }
}
