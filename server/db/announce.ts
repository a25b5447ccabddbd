import { type Kysely, sql } from 'kysely';
import type { DB } from './schema.ts';

type Db = Kysely<DB>;

/** What processes tell each other of. Announcements are hints: who hears one reads again, and who misses it must not be wrong for long. */
export const CHANNELS = ['officium_sessions', 'officium_news'] as const;
export type Channel = (typeof CHANNELS)[number];

export type Announcement = { channel: Channel; payload: string };

/** Brings announcements to every process by another way than the database. Never rejects. */
export type Carrier = (announcement: Announcement) => Promise<void>;

const carriers = new WeakMap<Db, Carrier>();
const held = new WeakMap<Db, Announcement[]>();

/** From now on what is announced with this pool goes another way than NOTIFY. */
export function carryAnnouncements(pool: Db, carrier: Carrier): void {
  carriers.set(pool, carrier);
}

/**
 * Tells every process, this one too: with a transaction when that commits and not if it does not, with a pool at once.
 * A payload has at most 7 900 bytes. NOTIFY makes the commits that announce wait for each other, so what writes all
 * the time gathers its announcements and makes them afterwards.
 */
export async function announce(db: Db, channel: Channel, payload: string): Promise<void> {
  const waiting = held.get(db);
  const carry = carriers.get(db);
  if (waiting) waiting.push({ channel, payload });
  else if (carry) await carry({ channel, payload });
  else await notify(db, { channel, payload });
}

export async function notify(db: Db, { channel, payload }: Announcement): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(db);
}

/** Does `work` in a transaction of `pool` by `transact`, and brings what it announced on its way once it has committed. */
export async function announcingAfterwards<T>(
  pool: Db,
  transact: (work: (trx: Db) => Promise<T>) => Promise<T>,
  work: (trx: Db) => Promise<T>,
): Promise<T> {
  const carry = carriers.get(pool);
  if (!carry) return await transact(work);
  const waiting: Announcement[] = [];
  const result = await transact(async (trx) => {
    held.set(trx, waiting);
    return await work(trx);
  });
  await Promise.all(waiting.map(carry));
  return result;
}
