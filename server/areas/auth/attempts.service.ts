import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { addressAllowances, siteKey, takeLimit, type Limit } from '#server/limits/limits.ts';
import { takeTurnsByKey } from '#server/outside/turns.ts';
import { countFailures, type FailureCount } from './failures.service.ts';
import { isPassword } from './password-hash.service.ts';

const QUARTER_HOUR = 15 * 60;
/** Per account and site. At most 50 an hour, so that one site alone cannot exhaust the account's own limit. */
const PER_ACCOUNT_AND_SITE: Limit = { max: 10, windowSeconds: QUARTER_HOUR };
/** Per account, from unknown devices: bounds distributed guessing. */
const PER_ACCOUNT: Limit = { max: 60, windowSeconds: 3600 };
/** Per client address, over all accounts. Generous, because a whole office can share one address. */
const PER_ADDRESS: Limit = { max: 100, windowSeconds: QUARTER_HOUR };
/** Per account, from known devices and sessions. Strangers cannot exhaust it. */
const PER_ACCOUNT_KNOWN: Limit = { max: 10, windowSeconds: QUARTER_HOUR };

const oneByOne = takeTurnsByKey({ running: 1, waiting: 500 });
const fewAtOnce = takeTurnsByKey({ running: 4, waiting: 500 });

type Given = {
  account: string;
  address: string;
  /** The request has a session of the account, or the cookie of a browser that has signed in to it. */
  isKnown: boolean;
  password: string;
  storedHash: string | null | undefined;
};

function countsOf({ account, address, isKnown }: Given): FailureCount[] {
  if (isKnown) return [{ key: `password:known:${account}`, limit: PER_ACCOUNT_KNOWN, inTurn: oneByOne }];
  return [
    { key: `password:site:${siteKey(address)}:${account}`, limit: PER_ACCOUNT_AND_SITE, inTurn: oneByOne },
    ...addressAllowances(address, PER_ADDRESS.max).map(({ key, max }) => ({
      key: `password:address:${key}`,
      limit: { ...PER_ADDRESS, max },
      inTurn: fewAtOnce,
    })),
    { key: `password:account:${account}`, limit: PER_ACCOUNT },
  ];
}

/**
 * Compares a password and counts failures: 429 after too many. Unknown devices are limited per account and site, per
 * address and per account, so that one stranger cannot lock an account and many cannot guess without bound. Known
 * devices have a separate limit.
 */
export async function tryPassword(ctx: Ctx, given: Given): Promise<boolean> {
  return await countFailures(ctx, countsOf(given), () => isPassword(given.password, given.storedHash));
}

const MAILS: [string, Limit][] = [
  ['quarter', { max: 3, windowSeconds: 15 * 60 }],
  ['day', { max: 10, windowSeconds: 24 * 3600 }],
];

/**
 * Takes one from the address's allowance of mails that strangers can trigger. Returns false instead of throwing,
 * because an error would reveal whether the address has an account.
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
