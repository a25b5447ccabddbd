import type { UNDO_OUTCOMES } from '@officium/contract/admin';
import { UNDO_DAYS } from '@officium/contract/cohorts';
import type { Locale } from '@officium/contract/common';
import { type InferResult, sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import type { PlacingOutcome, Placed } from './placing.service.ts';

export type Undone = (typeof UNDO_OUTCOMES)[number];

export async function insertUpload(
  db: Db,
  upload: { cohortId: string; slug: string; locale: Locale },
): Promise<{ id: string; created_at: Date }> {
  return await db
    .insertInto('cohort_uploads')
    .values({ id: newId(), cohort_id: upload.cohortId, slug: upload.slug, locale: upload.locale })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();
}

/** Keeps each statement well below the statement timeout. */
const ROWS_AT_ONCE = 10_000;

export async function insertUploadRows(db: Db, uploadId: string, emails: string[]): Promise<void> {
  for (let first = 0; first < emails.length; first += ROWS_AT_ONCE) {
    const some = emails.slice(first, first + ROWS_AT_ONCE);
    const addresses = sql<{ email: string; nth: number }>`unnest(${some}::text[]) with ordinality`;
    await db
      .insertInto('cohort_upload_rows')
      .columns(['upload_id', 'position', 'email'])
      .expression((eb) =>
        eb
          .selectFrom(addresses.as<'e'>(sql`e (email, nth)`))
          .select((of) => [
            sql<string>`${uploadId}::uuid`.as('upload_id'),
            sql<number>`${first}::int + ${of.ref('e.nth')} - 1`.as('position'),
            'e.email',
          ])
          .orderBy('e.nth'),
      )
      .execute();
  }
}

export async function hasUpload(
  db: Db,
  { cohortId, uploadId }: { cohortId: string; uploadId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('cohort_uploads')
    .select('id')
    .where('id', '=', uploadId)
    .where('cohort_id', '=', cohortId)
    .executeTakeFirst();
  return row !== undefined;
}

export type UploadRow = {
  cohort_id: string;
  locale: Locale;
  partner: string;
  support: string | null;
  words: string | null;
  is_undone: boolean;
};

/** Locks an upload, so that its parts run one at a time and an undo never interrupts one. */
export async function lockUpload(db: Db, id: string): Promise<UploadRow | undefined> {
  return await db
    .selectFrom('cohort_uploads as u')
    .innerJoin('cohorts as c', 'c.id', 'u.cohort_id')
    .select((eb) => [
      'u.cohort_id',
      'u.locale',
      'c.primary_partner as partner',
      'c.support_contact as support',
      'c.invitation_words as words',
      eb('u.undo_started_at', 'is not', null).$castTo<boolean>().as('is_undone'),
    ])
    .$narrowType<{ locale: Locale }>()
    .where('u.id', '=', id)
    .where('c.deleted_at', 'is', null)
    .forNoKeyUpdate('u')
    .executeTakeFirst();
}

export type Chunk = { uploadId: string; first: number; last: number; mailsAfterSeconds?: number };

/** Locks the pending addresses of a part, in order. Another worker with the same part waits. */
export async function lockWaiting(db: Db, { uploadId, first, last }: Chunk): Promise<string[]> {
  const rows = await db
    .selectFrom('cohort_upload_rows')
    .select('email')
    .where('upload_id', '=', uploadId)
    .where('position', '>=', first)
    .where('position', '<=', last)
    .where('outcome', 'is', null)
    .where('undone', 'is', null)
    .orderBy('position')
    .forUpdate()
    .execute();
  return rows.map((row) => row.email);
}

export async function updateOutcomes(db: Db, { uploadId }: Chunk, emails: string[], placed: Placed[]): Promise<void> {
  const [outcomes, reasons] = [placed.map(({ outcome }) => outcome), placed.map(({ reason }) => reason)];
  const results = sql<Placed & { email: string }>`unnest(${emails}::text[], ${outcomes}::text[], ${reasons}::text[])`;
  await db
    .updateTable('cohort_upload_rows as r')
    .from(results.as<'o'>(sql`o (email, outcome, reason)`))
    .set((eb) => ({ outcome: eb.ref('o.outcome'), reason: eb.ref('o.reason') }))
    .where('r.upload_id', '=', uploadId)
    .whereRef('r.email', '=', 'o.email')
    .execute();
}

function uploadStates(db: Db) {
  return db
    .selectFrom('cohort_uploads as u')
    .select((eb) => [
      'u.id',
      'u.cohort_id',
      'u.slug',
      'u.created_at',
      'u.total',
      'u.waiting',
      'u.added',
      'u.invited',
      'u.already',
      'u.invalid',
      'u.removed',
      'u.withdrawn',
      'u.kept',
      'u.stopped',
      'u.undo_started_at',
      'u.undo_finished_at',
      sql<number>`extract(epoch from coalesce(${eb.ref('u.placed_at')}, now()) - ${eb.ref('u.created_at')})::float8`.as(
        'seconds',
      ),
      sql<boolean>`${eb.ref('u.created_at')} > now() - make_interval(days => ${sql.lit(UNDO_DAYS)})`.as('is_recent'),
    ]);
}
export type UploadStateRow = InferResult<ReturnType<typeof uploadStates>>[number];

export async function getUploadState(
  db: Db,
  { cohortId, uploadId }: { cohortId: string; uploadId: string },
): Promise<UploadStateRow | undefined> {
  return await uploadStates(db)
    .innerJoin('cohorts as c', 'c.id', 'u.cohort_id')
    .where('u.id', '=', uploadId)
    .where('u.cohort_id', '=', cohortId)
    .where('c.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** A cohort's uploads, newest first, with the total. */
export async function findUploads(
  db: Db,
  { cohortId, limit, offset }: { cohortId: string; limit: number; offset: number },
): Promise<{ rows: UploadStateRow[]; total: number }> {
  const rows = await uploadStates(db)
    .where('u.cohort_id', '=', cohortId)
    .orderBy('u.created_at', 'desc')
    .orderBy('u.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const { total } = await db
    .selectFrom('cohort_uploads')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('cohort_id', '=', cohortId)
    .executeTakeFirstOrThrow();
  return { rows, total };
}

export type AddressRow = {
  position: number;
  email: string;
  outcome: PlacingOutcome | null;
  reason: Placed['reason'];
  undone: Undone | null;
};

/** Addresses of an upload from a position on, optionally with one outcome. */
export async function findAddresses(
  db: Db,
  query: { uploadId: string; outcome: PlacingOutcome | undefined; from: number; limit: number },
): Promise<AddressRow[]> {
  let addresses = db.selectFrom('cohort_upload_rows').where('upload_id', '=', query.uploadId);
  if (query.outcome !== undefined) addresses = addresses.where('outcome', '=', query.outcome);
  return await addresses
    .select(['position', 'email', 'outcome', 'reason', 'undone'])
    .$narrowType<Pick<AddressRow, 'outcome' | 'reason' | 'undone'>>()
    .where('position', '>=', query.from)
    .orderBy('position')
    .limit(query.limit)
    .execute();
}
