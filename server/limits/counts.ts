import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Redis } from '#server/live/redis.ts';

export type Used = { used: number; /** Seconds until the window is over. */ wait: number };

/** The store of rate limit counters, shared by all processes. */
export type Counts = {
  /** Adds to a key's window, which begins with its first use. */
  take(key: string, count: number, windowSeconds: number): Promise<Used>;
  /** Subtracts one from a window that has not ended. */
  giveBack(key: string): Promise<void>;
  /** Adds to the callers' counts of a minute; returns the sums over all processes, in the same order. */
  addToMinute(minute: number, uses: { caller: string; used: number }[]): Promise<number[]>;
};

const MINUTE_SECONDS = 60;

/** In an unlogged table. */
export function countInDatabase(db: Db): Counts {
  return {
    async take(key, count, windowSeconds) {
      const { rows } = await sql<Used>`
        insert into rate_limits as r (key, window_start, used) values (${key}, now(), ${count})
        on conflict (key) do update set
          used = case when r.window_start <= now() - make_interval(secs => ${windowSeconds}) then ${count} else r.used + ${count} end,
          window_start = case when r.window_start <= now() - make_interval(secs => ${windowSeconds}) then now() else r.window_start end
        returning used, least(${windowSeconds},
          extract(epoch from window_start + make_interval(secs => ${windowSeconds}) - now())::float8) as wait`.execute(
        db,
      );
      return rows[0] ?? { used: 0, wait: 0 }; // an upsert returns its row
    },
    async giveBack(key) {
      await sql`update rate_limits set used = greatest(used - 1, 0) where key = ${key}`.execute(db);
    },
    async addToMinute(minute, uses) {
      const added = uses.map(({ caller, used }) => ({ key: `minute:${caller}`, used }));
      const { rows } = await sql<{ key: string; used: number }>`
        insert into rate_limits as r (key, window_start, used)
        select key, to_timestamp(${minute * MINUTE_SECONDS}), used
        from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as t (key text, used integer) order by key
        on conflict (key) do update set
          used = case when r.window_start < excluded.window_start then excluded.used else r.used + excluded.used end,
          window_start = greatest(r.window_start, excluded.window_start)
        returning key, used`.execute(db);
      const sums = new Map(rows.map(({ key, used }) => [key, used]));
      return added.map(({ key, used }) => sums.get(key) ?? used);
    },
  };
}

const TAKE = `
local used = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], left)
end
return {used, left}`;

const GIVE_BACK = `
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
return 0`;

const ADD_TO_MINUTE = `
local sums = {}
for at, key in ipairs(KEYS) do
  sums[at] = redis.call('INCRBY', key, ARGV[at])
  redis.call('EXPIRE', key, ${MINUTE_SECONDS * 2})
end
return sums`;

/** Hashed, because keys contain addresses and account ids, which readers of Redis must not see. */
const hidden = (key: string) => `limit:${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`;

/** In Redis, each step one atomic script. Keys expire with their window. */
export function countInRedis(redis: Redis): Counts {
  return {
    async take(key, count, windowSeconds) {
      // The script returns two integers.
      const [used, leftMs] = (await redis.run(TAKE, [hidden(key)], [count, windowSeconds * 1000])) as [number, number];
      return { used, wait: leftMs / 1000 };
    },
    async giveBack(key) {
      await redis.run(GIVE_BACK, [hidden(key)], []);
    },
    async addToMinute(minute, uses) {
      const keys = uses.map(({ caller }) => hidden(`minute:${minute}:${caller}`));
      const values = uses.map(({ used }) => used);
      return (await redis.run(ADD_TO_MINUTE, keys, values)) as number[]; // an integer for each key
    },
  };
}

/** Counts in the first store, and in the second when the first does not answer. The two are not synchronised. */
export function countElsewhereWhenAway(first: Counts, second: Counts): Counts {
  return {
    take: (...use) => first.take(...use).catch(() => second.take(...use)),
    giveBack: (key) => first.giveBack(key).catch(() => second.giveBack(key)),
    addToMinute: (...uses) => first.addToMinute(...uses).catch(() => second.addToMinute(...uses)),
  };
}
