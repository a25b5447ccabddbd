import { sql } from 'kysely';
import { IDLE_HOURS } from '#server/access/sessions.ts';
import type { Db } from '#server/db/client.ts';

export type SessionRow = {
  id: string;
  user_agent: string | null;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
};

/** Live sessions of a user, most recently used first. */
export async function findSessions(db: Db, userId: string): Promise<SessionRow[]> {
  return await db
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'created_at', 'last_seen_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('last_seen_at', '>', sql<Date>`now() - make_interval(hours => ${IDLE_HOURS})`)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
}

export async function hasSession(db: Db, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Seconds from the database's current time until a Unix timestamp. */
export async function getSecondsUntil(db: Db, epochSeconds: number): Promise<number> {
  const { seconds } = await db
    .selectNoFrom(sql<number>`${epochSeconds}::float8 - extract(epoch from now())::float8`.as('seconds'))
    .executeTakeFirstOrThrow();
  return seconds;
}
