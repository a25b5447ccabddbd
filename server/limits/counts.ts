import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, NOW } from '#server/db/client.ts';
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
/** The greatest integer of PostgreSQL. Refused requests count too, and some count bytes. */
const MOST = 2_147_483_647;

/** In an unlogged table. */
export function countInDatabase(db: Db): Counts {
  return {
    async take(key, count, windowSeconds) {
      const window = sql`make_interval(secs => ${windowSeconds})`;
      return await db
        .insertInto('rate_limits')
        .values({ key, window_start: NOW, used: count })
        .onConflict((row) =>
          row.column('key').doUpdateSet(({ eb, ref }) => {
            const isOver = eb('rate_limits.window_start', '<=', sql<Date>`now() - ${window}`);
            return {
              used: eb
                .case()
                .when(isOver)
                .then(count)
                .else(sql<number>`least(${ref('rate_limits.used')} + ${count}::bigint, ${MOST})::integer`)
                .end(),
              window_start: eb.case().when(isOver).then(NOW).else(ref('rate_limits.window_start')).end(),
            };
          }),
        )
        .returning(({ ref }) => {
          const left = sql`extract(epoch from ${ref('window_start')} + ${window} - now())::float8`;
          return ['used', sql<number>`least(${windowSeconds}, ${left})`.as('wait')];
        })
        .executeTakeFirstOrThrow();
    },
    async giveBack(key) {
      await db
        .updateTable('rate_limits')
        .set(({ ref }) => ({ used: sql<number>`greatest(${ref('used')} - 1, 0)` }))
        .where('key', '=', key)
        .execute();
    },
    async addToMinute(minute, uses) {
      const added = uses.map(({ caller, used }) => ({ key: `minute:${caller}`, used }));
      const start = sql<Date>`to_timestamp(${minute * MINUTE_SECONDS})`;
      const given = sql<{ key: string; used: number }>`jsonb_to_recordset(${JSON.stringify(added)}::jsonb)`;
      const rows = await db
        .insertInto('rate_limits')
        .columns(['key', 'window_start', 'used'])
        .expression((eb) =>
          eb
            .selectFrom(given.as<'t'>(sql`t (key text, used integer)`))
            .select(['t.key', start.as('window_start'), 't.used'])
            .orderBy('t.key'),
        )
        .onConflict((row) =>
          row.column('key').doUpdateSet(({ eb, fn, ref }) => ({
            used: eb
              .case()
              .when('rate_limits.window_start', '<', ref('excluded.window_start'))
              .then(ref('excluded.used'))
              .else(eb('rate_limits.used', '+', ref('excluded.used')))
              .end(),
            window_start: fn<Date>('greatest', ['rate_limits.window_start', 'excluded.window_start']),
          })),
        )
        .returning(['key', 'used'])
        .execute();
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
