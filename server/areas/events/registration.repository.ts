// Raw SQL: seats are given and taken back by functions that lock the session.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** `isNew`: the person had no registration before. */
export type TakenSeat = { status: 'seat' | 'waiting' | 'closed'; isNew: boolean | null; waitingPlace: number | null };

/** One statement: a seat, else the last place on the waiting list. */
export async function takeSeat(db: Db, sessionId: string, userId: string): Promise<TakenSeat> {
  const { rows } = await sql<TakenSeat>`
    select given as status, is_new as "isNew", waiting_place as "waitingPlace" from take_seat(${sessionId}::uuid, ${userId}::uuid)`.execute(
    db,
  );
  return rows[0]!; // a call answers one row
}

export async function leaveSeat(db: Db, sessionId: string, userId: string): Promise<'left' | 'none' | 'closed'> {
  const { rows } = await sql<{ outcome: 'left' | 'none' | 'closed' }>`
    select leave_seat(${sessionId}::uuid, ${userId}::uuid) as outcome`.execute(db);
  return rows[0]!.outcome; // a call answers one row
}

export type SeatRow = {
  userId: string;
  name: string;
  email: string;
  status: 'seat' | 'waiting';
  registeredAt: Date;
  attendedAt: Date | null;
};

export async function hasSession(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('event_sessions').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** Seats first, then the waiting list, each in order. */
export async function findRegistrations(
  db: Db,
  sessionId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: SeatRow[]; total: number }> {
  const rows = await db
    .selectFrom('event_registrations as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .select((eb) => [
      'u.id as userId',
      'u.name',
      'u.email',
      'r.status',
      'r.created_at as registeredAt',
      'r.attended_at as attendedAt',
      eb.fn.countAll<number>().over().as('total'),
    ])
    .where('r.session_id', '=', sessionId)
    .where('u.erased_at', 'is', null)
    .orderBy('r.status')
    .orderBy('r.created_at')
    .orderBy('r.user_id')
    .limit(limit)
    .offset(offset)
    .$narrowType<{ status: 'seat' | 'waiting'; email: string }>()
    .execute();
  return { rows, total: rows[0]?.total ?? 0 };
}
