import type { Logger } from 'pino';
import { AppError, type AllowanceStanding } from '#server/errors.ts';
import type { Counts } from './counts.ts';
import { addressAllowances } from './limits.ts';

const MINUTE_MS = 60_000;
const SHARE_EVERY_MS = 1_000;
/** A node keeps this many requests of a caller to itself: ordinary people never cost a query. */
const UNSHARED = 200;

type Use = {
  /** By all nodes, as far as is known here. */ shared: number;
  /** Not told to the others yet. */ own: number;
};

export type Allowances = {
  /** Takes one request of a caller's minute; throws 429 when the minute is used up. */
  take(caller: string, max: number): AllowanceStanding;
  /** The same for an address of origin: takes from its subnet and its site, answers how the subnet's stands. */
  takeByAddress(address: string | undefined, max: number): AllowanceStanding;
  /** Tells the other nodes and hears from them; done every second. */
  share(): Promise<void>;
  close(): void;
};

/**
 * What callers may ask for in a minute, whatever they ask. Counted in memory and added up over all nodes once a second,
 * so that a request costs no query; the nodes together may let through a second's worth more than `max`.
 */
export function createAllowances(counts: Counts, log: Logger, now: () => number = Date.now): Allowances {
  let minute = 0;
  let uses = new Map<string, Use>();

  const share = async () => {
    const sharing = minute;
    const busy = [...uses].filter(([, use]) => use.own > 0 && use.shared + use.own > UNSHARED);
    if (busy.length === 0) return;
    const added = busy.map(([caller, { own }]) => ({ caller, used: own }));
    const sums = await counts.addToMinute(sharing, added);
    for (const [index, [, use]] of busy.entries()) {
      use.own -= added[index]?.used ?? 0;
      use.shared = sums[index] ?? use.shared;
    }
  };

  const timer = setInterval(() => {
    share().catch((error: unknown) => log.debug({ err: error }, 'rate limit counts not shared with other processes'));
  }, SHARE_EVERY_MS);
  timer.unref();

  const take: Allowances['take'] = (caller, max) => {
    const time = now();
    const present = Math.floor(time / MINUTE_MS);
    if (present !== minute) {
      minute = present;
      uses = new Map();
    }
    const use = uses.get(caller) ?? { shared: 0, own: 0 };
    use.own += 1;
    uses.set(caller, use);
    const used = use.shared + use.own;
    const standing = {
      limit: max,
      remaining: Math.max(0, max - used),
      resetSeconds: Math.ceil(((minute + 1) * MINUTE_MS - time) / 1000),
    };
    if (used > max)
      throw new AppError('request.too_many', { retryAfterSeconds: standing.resetSeconds, limit: standing });
    return standing;
  };

  return {
    take,
    takeByAddress(address, max) {
      const [subnet, site] = addressAllowances(address, max);
      const standing = take(subnet.key, subnet.max);
      if (site) take(site.key, site.max);
      return standing;
    },
    share,
    close: () => clearInterval(timer),
  };
}
