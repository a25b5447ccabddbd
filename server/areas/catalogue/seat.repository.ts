// Raw SQL: a function that locks the session, and a reminder that is claimed by the statement that sends it.
import { sql } from 'kysely';
import { type Db, NOW } from '#server/db/client.ts';
import { insertNotices, notify } from '#server/notify/notify.ts';

/** Gives free seats of sessions to their waiting lists. */
export async function fillSeats(db: Db, ids: string[]): Promise<void> {
  await sql`select fill_seats(id) from unnest(${ids}::uuid[]) id`.execute(db);
  await notifyPromoted(db, ids);
}

/**
 * Notifies those whom a free seat was given, in these sessions or, for seats that an erasure freed, in all. Each
 * promotion is notified once.
 */
export async function notifyPromoted(db: Db, ids?: string[]): Promise<void> {
  const told = await db
    .updateTable('event_registrations')
    .set({ promotion_told_at: NOW })
    .where('promoted_at', 'is not', null)
    .where('promotion_told_at', 'is', null)
    .$if(ids !== undefined, (qb) => qb.where('session_id', '=', sql<string>`any(${ids}::uuid[])`))
    .returning(['user_id as userId', 'session_id as objectId'])
    .execute();
  await notify(
    db,
    told.map((promoted) => ({ ...promoted, event: 'event_promoted' })),
  );
}

/** Notifies everybody who registered for these sessions. */
export async function notifyRegistered(
  db: Db,
  ids: string[],
  event: 'event_changed' | 'event_cancelled',
): Promise<void> {
  const registered = await db
    .selectFrom('event_registrations')
    .select(['user_id as userId', 'session_id as objectId'])
    .where('session_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  await notify(
    db,
    registered.map((registration) => ({ ...registration, event })),
  );
}

/** Reminds people of their seat a day before the session, once for each start. */
export async function notifySessionStarts(db: Db): Promise<void> {
  await sql`
    with due as (
      update event_registrations r set reminded_of = s.starts_at from event_sessions s
      where s.id = r.session_id and r.status = 'seat' and r.reminded_of is distinct from s.starts_at
        and s.cancelled_at is null and s.starts_at > now() and s.starts_at <= now() + interval '1 day'
      returning r.user_id, r.session_id)
    ${insertNotices(sql`(
      select due.user_id, 'event_reminder' as event, due.session_id as object_id, null::uuid as activity_id,
        null::uuid as since_id
      from due)`)}`.execute(db);
}

/** Answers false when the person has no seat in the session. A person keeps the time of the first mark. */
export async function markAttendance(
  db: Db,
  { sessionId, userId, attended }: { sessionId: string; userId: string; attended: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('event_registrations')
    .set({ attended_at: attended ? sql<Date>`coalesce(attended_at, now())` : null })
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .where('status', '=', 'seat')
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
