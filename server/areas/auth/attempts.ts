import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { allowancesOf, siteKey, takeLimit, type Limit } from '#server/http/limits.ts';
import { takeTurnsByKey } from '#server/outside/turns.ts';
import { countFailures, type FailureCount } from './failures.ts';
import { isPassword } from './password-hash.ts';

const QUARTER = 15 * 60;
/** From one place, which alone must not use up what all places together have of an account. */
const OF_ACCOUNT_AND_ORIGIN: Limit = { max: 10, windowSeconds: QUARTER };
/** From all places that the account has not been signed in to from. */
const OF_ACCOUNT: Limit = { max: 60, windowSeconds: 3600 };
/** From one place, whatever the account: an office behind one address has many people. */
const OF_ORIGIN: Limit = { max: 100, windowSeconds: QUARTER };
/** From browsers that have signed in to the account, which strangers cannot use up. */
const OF_KNOWN: Limit = { max: 10, windowSeconds: QUARTER };

const oneByOne = takeTurnsByKey({ running: 1, waiting: 500 });
const fewAtOnce = takeTurnsByKey({ running: 4, waiting: 500 });

type Given = {
  account: string;
  address: string;
  /** It comes in a session of the account, or from a browser that has signed in to it. */
  isKnown: boolean;
  password: string;
  storedHash: string | null | undefined;
};

function countsOf({ account, address, isKnown }: Given): FailureCount[] {
  if (isKnown) return [{ key: `password:known:${account}`, limit: OF_KNOWN, inTurn: oneByOne }];
  return [
    { key: `password:place:${siteKey(address)}:${account}`, limit: OF_ACCOUNT_AND_ORIGIN, inTurn: oneByOne },
    ...allowancesOf(address, OF_ORIGIN.max).map(({ key, max }) => ({
      key: `password:address:${key}`,
      limit: { ...OF_ORIGIN, max },
      inTurn: fewAtOnce,
    })),
    { key: `password:account:${account}`, limit: OF_ACCOUNT },
  ];
}

/**
 * Compares a password, counting failures: 429 when there were too many. Strangers are counted by account and place, by
 * place and by account, so that one cannot keep everybody else out, nor many guess without end; whoever has signed in
 * to the account before is counted apart from them.
 */
export async function tryPassword(ctx: Ctx, given: Given): Promise<boolean> {
  return await countFailures(ctx, countsOf(given), () => isPassword(given.password, given.storedHash));
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
