import { type Expression, expressionBuilder, sql } from 'kysely';
import { lockName } from '#server/db/advisory-lock.ts';
import type { Db } from '#server/db/client.ts';
import type { DB } from '#server/db/schema.ts';
import type { Undone } from './upload.repository.ts';

/**
 * Exclusive lock against placing people, accepting invitations and enrolling by address, so that exactly the checked
 * rows are removed. Taken before all other locks and held briefly.
 */
export async function lockPlacingAlone(db: Db): Promise<void> {
  await lockName(db, 'cohort invitations');
}

export type UndoRow = { name: string; is_started: boolean; is_recent: boolean };

/** Waits for running parts of the upload to finish; later parts see the undo. */
export async function lockForUndo(
  db: Db,
  { cohortId, uploadId, days }: { cohortId: string; uploadId: string; days: number },
): Promise<UndoRow | undefined> {
  return await db
    .selectFrom('cohort_uploads as u')
    .innerJoin('cohorts as c', 'c.id', 'u.cohort_id')
    .select((eb) => [
      'c.name',
      eb('u.undo_started_at', 'is not', null).$castTo<boolean>().as('is_started'),
      sql<boolean>`${eb.ref('u.created_at')} > now() - make_interval(days => ${days})`.as('is_recent'),
    ])
    .where('u.id', '=', uploadId)
    .where('u.cohort_id', '=', cohortId)
    .where('c.deleted_at', 'is', null)
    .forNoKeyUpdate('u')
    .executeTakeFirst();
}

export async function markUndoStarted(db: Db, uploadId: string): Promise<void> {
  await db
    .updateTable('cohort_uploads')
    .set({ undo_started_at: sql<Date>`now()` })
    .where('id', '=', uploadId)
    .execute();
}

export async function markUndoFinished(db: Db, uploadId: string): Promise<void> {
  await db
    .updateTable('cohort_uploads')
    .set({ undo_finished_at: sql<Date>`now()` })
    .where('id', '=', uploadId)
    .where('undo_finished_at', 'is', null)
    .execute();
}

export type UndoState = { cohort_id: string; undo_position: number };

/** Undefined when there is nothing left to undo. */
export async function lockUndo(db: Db, uploadId: string): Promise<UndoState | undefined> {
  return await db
    .selectFrom('cohort_uploads')
    .select(['cohort_id', 'undo_position'])
    .where('id', '=', uploadId)
    .where('undo_started_at', 'is not', null)
    .where('undo_finished_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export type UndoAddress = { position: number; email: string; is_placed: boolean };

export async function findRowsAfter(
  db: Db,
  { uploadId, after, limit }: { uploadId: string; after: number; limit: number },
): Promise<UndoAddress[]> {
  return await db
    .selectFrom('cohort_upload_rows')
    .select((eb) => ['position', 'email', eb('outcome', 'is not', null).$castTo<boolean>().as('is_placed')])
    .where('upload_id', '=', uploadId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute();
}

type Kept = { cohortId: string; uploadId: string; email: Expression<string | null>; byHand: Expression<boolean> };

/** Condition: something else keeps the address in the cohort, i.e. an administrator, another upload or an enrolment. */
function isKept({ cohortId, uploadId, email, byHand }: Kept) {
  const eb = expressionBuilder<DB>();
  const upload = eb
    .selectFrom('cohort_upload_rows as r')
    .innerJoin('cohort_uploads as o', 'o.id', 'r.upload_id')
    .select('r.position')
    .where('r.email', '=', email)
    .where('o.cohort_id', '=', cohortId)
    .where('o.id', '<>', uploadId)
    .where('o.undo_started_at', 'is', null)
    .where('r.outcome', 'in', ['added', 'invited', 'already']);
  const enrolment = eb
    .selectFrom('bulk_enrolments as b')
    .select('b.id')
    .where('b.email', '=', email)
    .where((of) => sql<boolean>`${cohortId} = any(${of.ref('b.cohort_ids')})`)
    .where((of) => sql<boolean>`enrolment_status(${of.ref('b.status')}, ${of.ref('b.expires_on')}) <> 'expired'`);
  return eb.or([byHand, eb.exists(upload), eb.exists(enrolment)]);
}

type Part = { cohortId: string; uploadId: string; /** All remaining if undefined. */ emails?: string[] };

/** Removes members that only this upload added. */
export async function removeMembers(
  db: Db,
  { cohortId, uploadId, emails }: Part,
): Promise<{ userId: string; email: string }[]> {
  return await db
    .deleteFrom('cohort_members as t')
    .using('users as u')
    .where('t.cohort_id', '=', cohortId)
    .where('t.upload_id', '=', uploadId)
    .whereRef('u.id', '=', 't.user_id')
    .$if(emails !== undefined, (query) => query.where('u.email', '=', sql<string>`any(${emails}::text[])`))
    .where((eb) => eb.not(isKept({ cohortId, uploadId, email: eb.ref('u.email'), byHand: eb.ref('t.by_hand') })))
    .returning((eb) => ['t.user_id as userId', sql<string>`coalesce(${eb.ref('u.email')}, '')`.as('email')])
    .execute();
}

/** Deletes invitations that only this upload created. */
export async function removeInvitations(
  db: Db,
  { cohortId, uploadId, emails }: Part,
): Promise<{ id: string; email: string }[]> {
  return await db
    .deleteFrom('cohort_invitations as t')
    .where('t.cohort_id', '=', cohortId)
    .where('t.upload_id', '=', uploadId)
    .$if(emails !== undefined, (query) => query.where('t.email', '=', sql<string>`any(${emails}::text[])`))
    .where((eb) => eb.not(isKept({ cohortId, uploadId, email: eb.ref('t.email'), byHand: eb.ref('t.by_hand') })))
    .returning(['t.id', 't.email'])
    .execute();
}

export async function updateUndone(
  db: Db,
  { uploadId, rows, last }: { uploadId: string; rows: { position: number; undone: Undone }[]; last: number },
): Promise<void> {
  const [positions, outcomes] = [rows.map(({ position }) => position), rows.map(({ undone }) => undone)];
  const results = sql<{ position: number; undone: Undone }>`unnest(${positions}::int[], ${outcomes}::text[])`;
  await db
    .updateTable('cohort_upload_rows as r')
    .from(results.as<'o'>(sql`o (position, undone)`))
    .set((eb) => ({ undone: eb.ref('o.undone') }))
    .where('r.upload_id', '=', uploadId)
    .whereRef('r.position', '=', 'o.position')
    .execute();
  await db.updateTable('cohort_uploads').set({ undo_position: last }).where('id', '=', uploadId).execute();
}
