import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../db/client.ts';
import { AppError, type Standing } from '../errors.ts';

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
  take(caller: string, max: number): Standing;
  /** Tells the other nodes and hears from them; done every second. */
  share(): Promise<void>;
  close(): void;
};

/**
 * What callers may ask for in a minute, whatever they ask. Counted in memory and added up over all nodes once a second,
 * so that a request costs no query; the nodes together may let through a second's worth more than `max`.
 */
export function createAllowances(db: Db, log: Logger, now: () => number = Date.now): Allowances {
  let minute = 0;
  let uses = new Map<string, Use>();

  const share = async () => {
    const sharing = minute;
    const busy = [...uses].filter(([, use]) => use.own > 0 && use.shared + use.own > UNSHARED);
    if (busy.length === 0) return;
    const added = busy.map(([caller, { own }]) => ({ key: `minute:${caller}`, used: own }));
    const { rows } = await sql<{ key: string; used: number }>`
      insert into rate_limits as r (key, window_start, used)
      select key, to_timestamp(${(sharing * MINUTE_MS) / 1000}), used
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as t (key text, used integer) order by key
      on conflict (key) do update set
        used = case when r.window_start < excluded.window_start then excluded.used else r.used + excluded.used end,
        window_start = greatest(r.window_start, excluded.window_start)
      returning key, used`.execute(db);
    const total = new Map(rows.map(({ key, used }) => [key, used]));
    for (const [index, [caller, use]] of busy.entries()) {
      use.own -= added[index]?.used ?? 0;
      use.shared = total.get(`minute:${caller}`) ?? use.shared;
    }
  };

  const timer = setInterval(() => {
    share().catch((error: unknown) => log.debug({ err: error }, 'allowances could not be shared'));
  }, SHARE_EVERY_MS);
  timer.unref();

  return {
    take(caller, max) {
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
    },
    share,
    close: () => clearInterval(timer),
  };
}
