// Raw SQL: calls of SQL functions and comparisons with the database clock.
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { lockName, lockNameShared } from '#server/db/advisory-lock.ts';
import { newId, type Db } from '#server/db/client.ts';
import { isOver } from '#server/db/cohort-days.sql.ts';
import type { DB } from '#server/db/schema.ts';
import { endMemberships } from './membership-end.repository.ts';
import { renewal } from './renewal.sql.ts';
import type { BulkEnrolmentRow, EnrolmentRequest, EnrolmentStatus } from './enrolment.rows.ts';

const NOW = sql<Date>`now()`;

const journeyOf = (request: EnrolmentRequest) => request.metadata.journeySlug ?? '';

/** The status by the database clock; the stored one may lag behind. */
const currentStatus = (eb: ExpressionBuilder<DB & { b: DB['bulk_enrolments'] }, 'b'>) =>
  eb.fn<EnrolmentStatus>('enrolment_status', ['b.status', 'b.expires_on']);

/** Selects records `b`, for further conditions. */
export const selectRecords = (db: Db) =>
  db
    .selectFrom('bulk_enrolments as b')
    .select([
      'b.id',
      'b.email',
      'b.type',
      'b.slug',
      'b.expires_on',
      'b.metadata',
      'b.user_defaults',
      'b.cohort_ids',
      'b.created_at',
      'b.updated_at',
    ])
    .select((eb) => currentStatus(eb).as('status'))
    .$castTo<BulkEnrolmentRow>(); // the columns of JSON and of checked text have narrower types than the schema knows

const listOf = (query: Expression<unknown>) => sql<string[]>`array(${query})`;

/** Which of these courses, journeys, communities and cohorts exist; a journey as `course/journey`. */
export async function findTargets(
  db: Db,
  { slugs, cohortIds }: { slugs: string[]; cohortIds: string[] },
): Promise<{ courses: string[]; journeys: string[]; communities: string[]; cohorts: string[] }> {
  return await db
    .selectNoFrom((eb) => [
      listOf(
        eb
          .selectFrom('courses as c')
          .innerJoin('entries as x', 'x.id', 'c.id')
          .select('c.slug')
          .where('c.slug', '=', eb.fn.any(eb.val(slugs)))
          .where('x.status', '=', 'published'),
      ).as('courses'),
      listOf(
        eb
          .selectFrom('courses as c')
          .innerJoin('journeys as j', 'j.course_id', 'c.id')
          .select(({ ref }) => sql`${ref('c.slug')} || '/' || ${ref('j.slug')}`.as('path'))
          .where('c.slug', '=', eb.fn.any(eb.val(slugs)))
          .where(sql<SqlBool>`${IS_PUBLISHED_JOURNEY}`),
      ).as('journeys'),
      listOf(
        eb
          .selectFrom('communities as c')
          .innerJoin('entries as x', 'x.id', 'c.entry_id')
          .select('c.slug')
          .where('c.slug', '=', eb.fn.any(eb.val(slugs)))
          .where('x.status', '=', 'published'),
      ).as('communities'),
      listOf(
        eb
          .selectFrom('cohorts')
          .select(({ cast }) => cast<string>('id', 'text').as('id'))
          .where('id', '=', eb.fn.any(eb.val(cohortIds)))
          .where('archived_at', 'is', null)
          .where('deleted_at', 'is', null)
          .where(({ not, ref }) => not(isOver(ref('ends_on')))),
      ).as('cohorts'),
    ])
    .executeTakeFirstOrThrow();
}

export async function getRecord(db: Db, id: string): Promise<BulkEnrolmentRow | undefined> {
  return await selectRecords(db).where('b.id', '=', id).executeTakeFirst();
}

/** Oldest first. */
export async function findByIds(db: Db, ids: string[]): Promise<BulkEnrolmentRow[]> {
  return await selectRecords(db)
    .where('b.id', '=', (eb) => eb.fn.any(eb.val(ids)))
    .orderBy('b.id')
    .execute();
}

export async function lockRecord(db: Db, id: string): Promise<BulkEnrolmentRow | undefined> {
  return await selectRecords(db).where('b.id', '=', id).forUpdate().executeTakeFirst();
}

/** Returns the id of the new record; undefined when the address already has one for this target. */
export async function insertRecord(
  db: Db,
  request: EnrolmentRequest,
  status: EnrolmentStatus,
): Promise<string | undefined> {
  const { email, type, slug, expiresOn, metadata, userDefaults, cohortIds } = request;
  const row = await db
    .insertInto('bulk_enrolments')
    .values({
      id: newId(),
      email,
      type,
      slug,
      journey_slug: journeyOf(request),
      status,
      expires_on: status === 'expired' ? sql<Date>`least(${expiresOn}::timestamptz, now())` : expiresOn,
      metadata: JSON.stringify(metadata),
      user_defaults: JSON.stringify(userDefaults),
      cohort_ids: cohortIds,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/**
 * Inserts a record or renews the existing one; an expired record starts again. `isGranted`: the owner has the access
 * already, so that `updateAccess` must copy the change to it.
 */
export async function upsertRecord(
  db: Db,
  request: EnrolmentRequest,
  { keepsLaterEnd }: { keepsLaterEnd: boolean },
): Promise<{ id: string; isGranted: boolean }> {
  const { email, type, slug, expiresOn, metadata, userDefaults, cohortIds } = request;
  await lockEnrolmentsOf(db, email);
  // An expired membership must end before the record renews it.
  if (type === 'communities') await endMemberships(db, email);
  return await db
    .insertInto('bulk_enrolments')
    .values({
      id: newId(),
      email,
      type,
      slug,
      journey_slug: journeyOf(request),
      expires_on: expiresOn,
      metadata: JSON.stringify(metadata),
      user_defaults: JSON.stringify(userDefaults),
      cohort_ids: cohortIds,
    })
    .onConflict((conflict) =>
      conflict.columns(['email', 'type', 'slug', 'journey_slug']).doUpdateSet((eb) => renewal(eb, { keepsLaterEnd })),
    )
    .returning((eb) => ['id', eb('granted_at', 'is not', null).$castTo<boolean>().as('isGranted')])
    .executeTakeFirstOrThrow();
}

/** The end date of an expired record is now at the latest. */
export async function updateRecord(
  db: Db,
  id: string,
  changes: Pick<EnrolmentRequest, 'metadata' | 'userDefaults' | 'cohortIds'> & {
    status: EnrolmentStatus;
    expiresOn: Date | null;
  },
): Promise<void> {
  const { status, expiresOn } = changes;
  await db
    .updateTable('bulk_enrolments')
    .set({
      status,
      metadata: JSON.stringify(changes.metadata),
      user_defaults: JSON.stringify(changes.userDefaults),
      cohort_ids: changes.cohortIds,
      updated_at: NOW,
      expires_on: status === 'expired' ? sql<Date>`least(${expiresOn}::timestamptz, now())` : expiresOn,
    })
    .where('id', '=', id)
    .execute();
}

export async function isInFuture(db: Db, moment: Date): Promise<boolean> {
  const { future } = await db
    .selectNoFrom(sql<boolean>`${moment}::timestamptz > now()`.as('future'))
    .executeTakeFirstOrThrow();
  return future;
}

/**
 * Shared among enrolments, exclusive for proving or erasing an address: the proof sees every pending record, or the
 * enrolment sees the account. Taken before every other lock.
 */
export async function lockClaims(db: Db): Promise<void> {
  await lockNameShared(db, 'cohort invitations');
}

/**
 * Serialises enrolling and withdrawing an address. A withdrawal that read the records before an enrolment committed and
 * the journey enrolments after it would leave the record without its enrolment.
 */
async function lockEnrolmentsOf(db: Db, email: string): Promise<void> {
  await lockName(db, `enrolments ${email}`);
}

/** Ends all enrolments in a course, pending and granted. Returns their number. Completions and certificates stay. */
export async function withdraw(db: Db, { email, courseSlug }: { email: string; courseSlug: string }): Promise<number> {
  await lockEnrolmentsOf(db, email);
  const records = await db
    .deleteFrom('bulk_enrolments')
    .where('email', '=', email)
    .where('type', '=', 'courses')
    .where('slug', '=', courseSlug)
    .executeTakeFirst();
  const granted = await db
    .deleteFrom('journey_enrolments as e')
    .using(['users as u', 'journeys as j', 'courses as c'])
    .where('u.email', '=', email)
    .whereRef('e.user_id', '=', 'u.id')
    .whereRef('j.key', '=', 'e.journey_key')
    .whereRef('c.id', '=', 'j.course_id')
    .where('c.slug', '=', courseSlug)
    .executeTakeFirst();
  return Number(records.numDeletedRows + granted.numDeletedRows);
}

/** True when the address has an account or a record. */
export async function isAddressKnown(db: Db, email: string): Promise<boolean> {
  const { known } = await db
    .selectNoFrom((eb) =>
      eb
        .or([
          eb.exists(eb.selectFrom('users').select('id').where('email', '=', email)),
          eb.exists(eb.selectFrom('bulk_enrolments').select('id').where('email', '=', email)),
        ])
        .$castTo<boolean>()
        .as('known'),
    )
    .executeTakeFirstOrThrow();
  return known;
}

/** Stores `expired` where the end date has passed, and ends the memberships. `db` is a transaction. */
export async function expireRecords(db: Db): Promise<void> {
  // Exclusive, so that no transaction that grants a record holds a lock this one waits for.
  await lockName(db, 'cohort invitations');
  await endMemberships(db);
  await db
    .updateTable('bulk_enrolments')
    .set({ status: 'expired', updated_at: NOW })
    .where('status', '<>', 'expired')
    .where('expires_on', '<=', NOW)
    .execute();
}
