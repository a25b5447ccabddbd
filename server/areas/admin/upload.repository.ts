import type { UNDO_OUTCOMES } from '@officium/contract/admin';
import { UNDO_DAYS } from '@officium/contract/cohorts';
import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import type { PlacingOutcome, Placed } from './placing.service.ts';

export type Undone = (typeof UNDO_OUTCOMES)[number];

export async function insertUpload(
  db: Db,
  upload: { cohortId: string; slug: string; locale: Locale },
): Promise<{ id: string; created_at: Date }> {
  const { rows } = await sql<{ id: string; created_at: Date }>`
    insert into cohort_uploads (id, cohort_id, slug, locale)
    values (${newId()}, ${upload.cohortId}, ${upload.slug}, ${upload.locale}) returning id, created_at`.execute(db);
  return rows[0]!; // an insert without a conflict clause answers its row
}

/** So many in a statement, however busy the machine, end long before the time a statement has. */
const ROWS_AT_ONCE = 10_000;

export async function insertUploadRows(db: Db, uploadId: string, emails: string[]): Promise<void> {
  for (let first = 0; first < emails.length; first += ROWS_AT_ONCE)
    await sql`
      insert into cohort_upload_rows (upload_id, position, email)
      select ${uploadId}, ${first}::int + nth - 1, email
      from unnest(${emails.slice(first, first + ROWS_AT_ONCE)}::text[]) with ordinality e (email, nth) order by nth`.execute(
      db,
    );
}

export async function hasUpload(
  db: Db,
  { cohortId, uploadId }: { cohortId: string; uploadId: string },
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from cohort_uploads where id = ${uploadId} and cohort_id = ${cohortId}`.execute(db);
  return rows.length > 0;
}

export type UploadRow = { cohort_id: string; locale: Locale; partner: string; is_undone: boolean };

/** Its parts are placed one at a time, so that taking it back comes before or after a whole one. */
export async function lockUpload(db: Db, id: string): Promise<UploadRow | undefined> {
  const { rows } = await sql<UploadRow>`
    select u.cohort_id, u.locale, c.primary_partner as partner, u.undo_started_at is not null as is_undone
    from cohort_uploads u join cohorts c on c.id = u.cohort_id where u.id = ${id} for no key update of u`.execute(db);
  return rows[0];
}

export type Chunk = { uploadId: string; first: number; last: number; mailsAfterSeconds?: number };

/** The addresses of a part of an upload that are not done, in order; another worker with the same part waits. */
export async function lockWaiting(db: Db, { uploadId, first, last }: Chunk): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from cohort_upload_rows
    where upload_id = ${uploadId} and position between ${first} and ${last} and outcome is null and undone is null
    order by position for update`.execute(db);
  return rows.map((row) => row.email);
}

export async function updateOutcomes(db: Db, { uploadId }: Chunk, emails: string[], placed: Placed[]): Promise<void> {
  await sql`
    update cohort_upload_rows r set outcome = o.outcome, reason = o.reason
    from unnest(${emails}::text[], ${placed.map((one) => one.outcome)}::text[], ${placed.map((one) => one.reason)}::text[])
      as o (email, outcome, reason)
    where r.upload_id = ${uploadId} and r.email = o.email`.execute(db);
}

export type UploadStateRow = {
  id: string;
  cohort_id: string;
  slug: string;
  created_at: Date;
  seconds: number;
  is_recent: boolean;
  total: number;
  waiting: number;
  added: number;
  invited: number;
  already: number;
  invalid: number;
  removed: number;
  withdrawn: number;
  kept: number;
  stopped: number;
  undo_started_at: Date | null;
  undo_finished_at: Date | null;
};

const STATE = sql`u.id, u.cohort_id, u.slug, u.created_at, u.total, u.waiting, u.added, u.invited, u.already, u.invalid,
  u.removed, u.withdrawn, u.kept, u.stopped, u.undo_started_at, u.undo_finished_at,
  extract(epoch from coalesce(u.placed_at, now()) - u.created_at)::float8 as seconds,
  u.created_at > now() - make_interval(days => ${sql.lit(UNDO_DAYS)}) as is_recent`;

export async function getUploadState(
  db: Db,
  { cohortId, uploadId }: { cohortId: string; uploadId: string },
): Promise<UploadStateRow | undefined> {
  const { rows } = await sql<UploadStateRow>`
    select ${STATE} from cohort_uploads u where u.id = ${uploadId} and u.cohort_id = ${cohortId}`.execute(db);
  return rows[0];
}

/** Newest first; how many there are comes with them. */
export async function findUploads(
  db: Db,
  { cohortId, limit, offset }: { cohortId: string; limit: number; offset: number },
): Promise<{ rows: UploadStateRow[]; total: number }> {
  const { rows } = await sql<UploadStateRow>`
    select ${STATE} from cohort_uploads u
    where u.cohort_id = ${cohortId} order by u.created_at desc, u.id desc limit ${limit} offset ${offset}`.execute(db);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from cohort_uploads where cohort_id = ${cohortId}`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}

export type AddressRow = {
  position: number;
  email: string;
  outcome: PlacingOutcome | null;
  reason: Placed['reason'];
  undone: Undone | null;
};

/** The addresses of an upload from a position on; `outcome`: only those. */
export async function findAddresses(
  db: Db,
  asked: { uploadId: string; outcome: PlacingOutcome | undefined; from: number; limit: number },
): Promise<AddressRow[]> {
  const ofOutcome = asked.outcome === undefined ? sql`true` : sql`outcome = ${asked.outcome}`;
  const { rows } = await sql<AddressRow>`
    select position, email, outcome, reason, undone from cohort_upload_rows
    where upload_id = ${asked.uploadId} and ${ofOutcome} and position >= ${asked.from}
    order by position limit ${asked.limit}`.execute(db);
  return rows;
}
