import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Undone } from './upload.repository.ts';

/**
 * Alone: while this is held nobody places people, takes up an invitation or is given a place by address, so that what
 * is looked at here is what is taken back. Before every other lock, and for a moment only.
 */
export async function lockPlacingAlone(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('cohort invitations', 0))`.execute(db);
}

export type UndoRow = { name: string; is_started: boolean; is_recent: boolean };

/** Parts of the upload that are under way have ended when this answers; those that come see what is written now. */
export async function lockForUndo(
  db: Db,
  { cohortId, uploadId, days }: { cohortId: string; uploadId: string; days: number },
): Promise<UndoRow | undefined> {
  const { rows } = await sql<UndoRow>`
    select c.name, u.undo_started_at is not null as is_started,
      u.created_at > now() - make_interval(days => ${days}) as is_recent
    from cohort_uploads u join cohorts c on c.id = u.cohort_id
    where u.id = ${uploadId} and u.cohort_id = ${cohortId} for no key update of u`.execute(db);
  return rows[0];
}

export async function markUndoStarted(db: Db, uploadId: string): Promise<void> {
  await sql`update cohort_uploads set undo_started_at = now() where id = ${uploadId}`.execute(db);
}

export async function markUndoFinished(db: Db, uploadId: string): Promise<void> {
  await sql`
    update cohort_uploads set undo_finished_at = now()
    where id = ${uploadId} and undo_finished_at is null`.execute(db);
}

export type UndoState = { cohort_id: string; undo_position: number };

/** Undefined when there is nothing to do (any more). */
export async function lockUndo(db: Db, uploadId: string): Promise<UndoState | undefined> {
  const { rows } = await sql<UndoState>`
    select cohort_id, undo_position from cohort_uploads
    where id = ${uploadId} and undo_started_at is not null and undo_finished_at is null for no key update`.execute(db);
  return rows[0];
}

export type UndoAddress = { position: number; email: string; is_placed: boolean };

export async function findRowsAfter(
  db: Db,
  { uploadId, after, limit }: { uploadId: string; after: number; limit: number },
): Promise<UndoAddress[]> {
  const { rows } = await sql<UndoAddress>`
    select position, email, outcome is not null as is_placed from cohort_upload_rows
    where upload_id = ${uploadId} and position > ${after} order by position limit ${limit}`.execute(db);
  return rows;
}

/** What else keeps an address in the cohort: an administrator's own hand, another upload, an enrolment by address. */
const KEPT = (cohortId: string, uploadId: string, email: ReturnType<typeof sql>) => sql`(t.by_hand
  or exists (
    select from cohort_upload_rows r join cohort_uploads o on o.id = r.upload_id
    where r.email = ${email} and o.cohort_id = ${cohortId} and o.id <> ${uploadId} and o.undo_started_at is null
      and r.outcome in ('added', 'invited', 'already'))
  or exists (
    select from bulk_enrolments b
    where b.email = ${email} and ${cohortId} = any(b.cohort_ids)
      and enrolment_status(b.status, b.expires_on) <> 'expired'))`;

type Part = { cohortId: string; uploadId: string; /** Only these; else all that are left. */ emails?: string[] };

/** Takes out the members this upload made and nothing else keeps. */
export async function removeMembers(
  db: Db,
  { cohortId, uploadId, emails }: Part,
): Promise<{ userId: string; email: string }[]> {
  const { rows } = await sql<{ userId: string; email: string }>`
    delete from cohort_members t using users u
    where t.cohort_id = ${cohortId} and t.upload_id = ${uploadId} and u.id = t.user_id
      and ${emails ? sql`u.email = any(${emails}::text[])` : sql`true`}
      and not ${KEPT(cohortId, uploadId, sql`u.email`)}
    returning t.user_id as "userId", coalesce(u.email, '') as email`.execute(db);
  return rows;
}

/** Withdraws the invitations this upload made and nothing else keeps. */
export async function removeInvitations(
  db: Db,
  { cohortId, uploadId, emails }: Part,
): Promise<{ id: string; email: string }[]> {
  const { rows } = await sql<{ id: string; email: string }>`
    delete from cohort_invitations t
    where t.cohort_id = ${cohortId} and t.upload_id = ${uploadId}
      and ${emails ? sql`t.email = any(${emails}::text[])` : sql`true`}
      and not ${KEPT(cohortId, uploadId, sql`t.email`)}
    returning t.id, t.email`.execute(db);
  return rows;
}

export async function updateUndone(
  db: Db,
  { uploadId, rows, last }: { uploadId: string; rows: { position: number; undone: Undone }[]; last: number },
): Promise<void> {
  await sql`
    update cohort_upload_rows r set undone = o.undone
    from unnest(${rows.map((row) => row.position)}::int[], ${rows.map((row) => row.undone)}::text[]) as o (position, undone)
    where r.upload_id = ${uploadId} and r.position = o.position`.execute(db);
  await sql`update cohort_uploads set undo_position = ${last} where id = ${uploadId}`.execute(db);
}
