import { sql } from 'kysely';
import { newId, NOW, type Db } from '#server/db/client.ts';
import type { PlannedSession, StoredSession } from './event-schedule.policy.ts';
import { upsertChanged } from './upsert.sql.ts';

export type ScheduleRow = {
  id: string;
  time_zone: string;
  starts: string;
  ends: string;
  recurrence: string | null;
  place: string | null;
  link: string | null;
  recording: string | null;
  capacity: number | null;
  community_id: string | null;
  course_id: string | null;
};
export type StoredEvent = Pick<ScheduleRow, 'place' | 'link' | 'capacity'>;

export async function lockEvent(db: Db, id: string): Promise<StoredEvent | undefined> {
  return await db
    .selectFrom('events')
    .select(['place', 'link', 'capacity'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Whether the row was added or changed. */
export async function putEvent(db: Db, row: ScheduleRow): Promise<boolean> {
  const text = { id: 'text', time_zone: 'text', starts: 'text', ends: 'text', recurrence: 'text' } as const;
  const changed = await upsertChanged(db, {
    table: 'events',
    columns: {
      ...text,
      place: 'text',
      link: 'text',
      recording: 'text',
      capacity: 'integer',
      community_id: 'uuid',
      course_id: 'text',
    },
    key: ['id'],
    rows: [row],
  });
  return changed.length > 0;
}

export async function findSessions(db: Db, eventId: string): Promise<StoredSession[]> {
  return await db
    .selectFrom('event_sessions as s')
    .select((eb) => [
      's.id',
      's.starts_at as startsAt',
      's.ends_at as endsAt',
      eb('s.cancelled_at', 'is not', null).$castTo<boolean>().as('isCancelled'),
      eb
        .exists(eb.selectFrom('event_registrations as r').select('r.user_id').whereRef('r.session_id', '=', 's.id'))
        .$castTo<boolean>()
        .as('hasRegistrations'),
    ])
    .where('s.event_id', '=', eventId)
    .orderBy('s.starts_at')
    .execute();
}

export async function insertSessions(db: Db, eventId: string, sessions: PlannedSession[]): Promise<void> {
  if (sessions.length === 0) return;
  await db
    .insertInto('event_sessions')
    .values(
      sessions.map(({ startsAt, endsAt }) => ({
        id: newId(),
        event_id: eventId,
        starts_at: startsAt,
        ends_at: endsAt,
      })),
    )
    .execute();
}

export async function moveSessions(db: Db, sessions: (PlannedSession & { id: string })[]): Promise<void> {
  if (sessions.length === 0) return;
  const moved = sql<PlannedSession & { id: string }>`jsonb_to_recordset(${JSON.stringify(sessions)}::jsonb)`;
  await db
    .updateTable('event_sessions as s')
    .from(moved.as<'m'>(sql`m (id uuid, "startsAt" timestamptz, "endsAt" timestamptz)`))
    .set((eb) => ({
      starts_at: eb.ref('m.startsAt'),
      ends_at: eb.ref('m.endsAt'),
      sequence: eb('s.sequence', '+', 1),
      changed_at: NOW,
    }))
    .whereRef('s.id', '=', 'm.id')
    .execute();
}

/** Marks the calendar entries of sessions as changed. */
export async function touchSessions(db: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('event_sessions')
    .set((eb) => ({ sequence: eb('sequence', '+', 1), changed_at: NOW }))
    .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
    .execute();
}

export async function cancelSessions(db: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('event_sessions')
    .set((eb) => ({ cancelled_at: NOW, sequence: eb('sequence', '+', 1), changed_at: NOW }))
    .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
    .where('cancelled_at', 'is', null)
    .execute();
}

export async function deleteSessions(db: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom('event_sessions')
    .where('id', '=', ({ fn, val }) => fn.any(val(ids)))
    .execute();
}

export type SessionPatch = Partial<{
  place: string | null;
  link: string | null;
  recording: string | null;
  capacity: number | null;
  cancelled: boolean;
}>;
export type PatchedSession = { place: string | null; link: string | null; isCancelled: boolean; isOver: boolean };

export async function lockSession(db: Db, id: string): Promise<PatchedSession | undefined> {
  return await db
    .selectFrom('event_sessions')
    .select((eb) => [
      'place',
      'link',
      eb('cancelled_at', 'is not', null).$castTo<boolean>().as('isCancelled'),
      eb('ends_at', '<=', sql<Date>`now()`)
        .$castTo<boolean>()
        .as('isOver'),
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function patchSession(db: Db, id: string, { cancelled, ...patch }: SessionPatch): Promise<void> {
  await db
    .updateTable('event_sessions')
    .set({
      ...patch,
      ...(cancelled === undefined ? {} : { cancelled_at: cancelled ? sql<Date>`coalesce(cancelled_at, now())` : null }),
      changed_at: sql<Date>`now()`,
      sequence: sql<number>`sequence + 1`,
    })
    .where('id', '=', id)
    .execute();
}
