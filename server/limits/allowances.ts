import type { Logger } from 'pino';
import { AppError, type LimitState } from '#server/errors.ts';
import type { Counts } from './counts.ts';
import { addressAllowances } from './limits.ts';

const MINUTE_MS = 60_000;
const SHARE_EVERY_MS = 1_000;
/** Each node counts this many requests of a caller locally, so that ordinary use costs no query. */
const UNSHARED = 200;

type Use = {
  /** By all nodes, as last read. */ shared: number;
  /** Not yet added to the shared count. */ own: number;
};

export type Allowances = {
  /** Counts one request of a caller's minute; throws 429 above the limit. */
  take(caller: string, max: number): LimitState;
  /** The same for a client address: counts for its subnet and its site, returns the state of the subnet. */
  takeByAddress(address: string | undefined, max: number): LimitState;
  /** Exchanges the counts with the other nodes; called every second. */
  share(): Promise<void>;
  close(): void;
};

/**
 * The rate limit per minute over all operations. Counted in memory and exchanged with all nodes once a second, so that
 * a request costs no query; the nodes together may exceed `max` by one second's requests.
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
    const state = {
      limit: max,
      remaining: Math.max(0, max - used),
      resetSeconds: Math.ceil(((minute + 1) * MINUTE_MS - time) / 1000),
    };
    if (used > max) throw new AppError('request.too_many', { retryAfterSeconds: state.resetSeconds, limit: state });
    return state;
  };

  return {
    take,
    takeByAddress(address, max) {
      const [subnet, site] = addressAllowances(address, max);
      const state = take(subnet.key, subnet.max);
      if (site) take(site.key, site.max);
      return state;
    },
    share,
    close: () => clearInterval(timer),
  };
}
