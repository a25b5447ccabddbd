// Raw SQL: NOTIFY is a function without a table.
import { type Kysely, sql } from 'kysely';
import type { DB } from './schema.ts';

type Db = Kysely<DB>;

/**
 * Channels between processes. Announcements are hints: subscribers read again, and a lost message must not leave
 * anything wrong for long.
 */
export const CHANNELS = ['officium_sessions', 'officium_news', 'officium_site'] as const;
export type Channel = (typeof CHANNELS)[number];

export type Announcement = { channel: Channel; payload: string };

/** Delivers announcements to every process without the database. Never rejects. */
export type Carrier = (announcement: Announcement) => Promise<void>;

const carriers = new WeakMap<Db, Carrier>();
const held = new WeakMap<Db, Announcement[]>();

/** Sends the announcements of this pool by `carrier` instead of NOTIFY. */
export function carryAnnouncements(pool: Db, carrier: Carrier): void {
  carriers.set(pool, carrier);
}

/**
 * Announces to every process, including this one: at the commit of a transaction, or at once on a pool. A payload has
 * at most 7 900 bytes. NOTIFY serialises the commits of the announcing transactions, so frequent writers batch their
 * announcements and send them afterwards.
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

/** Runs `work` in a transaction of `pool` by `transact`, and sends its announcements after the commit. */
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
