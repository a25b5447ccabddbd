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

/** The sessions of a person that still open something, the last used first. */
export async function findSessions(db: Db, userId: string): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select id, user_agent, created_at, last_seen_at, expires_at from sessions
    where user_id = ${userId} and expires_at > now() and last_seen_at > now() - make_interval(hours => ${IDLE_HOURS})
    order by last_seen_at desc, id desc limit 100`.execute(db);
  return rows;
}

export async function hasSession(db: Db, { userId, id }: { userId: string; id: string }): Promise<boolean> {
  const { rows } = await sql`select 1 from sessions where id = ${id} and user_id = ${userId}`.execute(db);
  return rows.length > 0;
}

/** How many seconds from now, by the database's clock, a moment given in seconds since 1970 is. */
export async function getSecondsUntil(db: Db, epochSeconds: number): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ${epochSeconds}::float8 - extract(epoch from now())::float8 as seconds`.execute(db);
  return rows[0]?.seconds ?? 0;
}
