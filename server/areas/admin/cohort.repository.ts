import type { COHORT_SORTS } from '@officium/contract/admin';
import { type SelectQueryBuilder, sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import { isOver } from '#server/db/cohort-days.sql.ts';
import type { Cohorts, DB } from '#server/db/schema.ts';
import { tallyOf } from '#server/db/tallies.ts';

/** Editable columns by contract field. */
export const COLUMN_OF = {
  name: 'name',
  type: 'type',
  primaryPartner: 'primary_partner',
  secondaryPartner: 'secondary_partner',
  notes: 'notes',
  bookingCode: 'booking_code',
  countryCode: 'country_code',
  funder: 'funder',
  supportContact: 'support_contact',
  beginsOn: 'begins_on',
  endsOn: 'ends_on',
} as const;
export type CohortFields = {
  name: string;
  type: string;
  primaryPartner: string;
  secondaryPartner: string | null;
  notes: string | null;
  bookingCode: string | null;
  countryCode: string | null;
  funder: string | null;
  supportContact: string | null;
  beginsOn: string | null;
  endsOn: string | null;
};
export type CohortRow = CohortFields & {
  invitationWords: string | null;
  isOver: boolean;
  id: string;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
  members: number;
  invitations: number;
  products: number;
};

/** Cohorts `c` with their numbers, without deleted ones. */
function cohorts(db: Db) {
  return db
    .selectFrom('cohorts as c')
    .where('c.deleted_at', 'is', null)
    .select((eb) => [
      'c.id',
      'c.created_at as createdAt',
      'c.updated_at as updatedAt',
      'c.archived_at as archivedAt',
      'c.name',
      'c.type',
      'c.primary_partner as primaryPartner',
      'c.secondary_partner as secondaryPartner',
      'c.notes',
      'c.booking_code as bookingCode',
      'c.country_code as countryCode',
      'c.funder',
      'c.support_contact as supportContact',
      'c.invitation_words as invitationWords',
      eb.cast<string | null>('c.begins_on', 'text').as('beginsOn'),
      eb.cast<string | null>('c.ends_on', 'text').as('endsOn'),
      isOver(eb.ref('c.ends_on')).as('isOver'),
      tallyOf('cohort_members', sql`${eb.ref('c.id')}::text`).as('members'),
      tallyOf('cohort_invitations', sql`${eb.ref('c.id')}::text`).as('invitations'),
      eb
        .selectFrom('cohort_products as p')
        .select(sql<number>`count(*)::int`.as('count'))
        .whereRef('p.cohort_id', '=', 'c.id')
        .$asScalar()
        .$notNull()
        .as('products'),
    ]);
}

export async function insertCohort(db: Db, fields: CohortFields): Promise<string> {
  const id = newId();
  await db
    .insertInto('cohorts')
    .values({
      id,
      name: fields.name,
      type: fields.type,
      primary_partner: fields.primaryPartner,
      secondary_partner: fields.secondaryPartner,
      notes: fields.notes,
      booking_code: fields.bookingCode,
      country_code: fields.countryCode,
      funder: fields.funder,
      support_contact: fields.supportContact,
      begins_on: fields.beginsOn,
      ends_on: fields.endsOn,
    })
    .execute();
  return id;
}

export async function getCohort(db: Db, id: string): Promise<CohortRow | undefined> {
  return await cohorts(db).where('c.id', '=', id).executeTakeFirst();
}

export async function hasCohort(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('cohorts')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function lockCohort(db: Db, id: string): Promise<void> {
  await db.selectFrom('cohorts').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** False if the cohort does not exist. */
export async function updateCohortRow(db: Db, id: string, changes: Partial<CohortFields>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('cohorts')
    .set({
      name: changes.name,
      type: changes.type,
      primary_partner: changes.primaryPartner,
      secondary_partner: changes.secondaryPartner,
      notes: changes.notes,
      booking_code: changes.bookingCode,
      country_code: changes.countryCode,
      funder: changes.funder,
      support_contact: changes.supportContact,
      begins_on: changes.beginsOn,
      ends_on: changes.endsOn,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Locks a cohort against being archived or deleted. Undefined if it does not exist. An advisory lock for placing people
 * is taken before this one, as archiving and deleting do.
 */
export async function lockState(db: Db, id: string): Promise<{ isArchived: boolean; isOver: boolean } | undefined> {
  return await db
    .selectFrom('cohorts')
    .select((eb) => [
      eb('archived_at', 'is not', null).$castTo<boolean>().as('isArchived'),
      isOver(eb.ref('ends_on')).as('isOver'),
    ])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst();
}

/** Locks the days of a cohort until they are changed. */
export async function lockDays(db: Db, id: string): Promise<Pick<CohortFields, 'beginsOn' | 'endsOn'> | undefined> {
  return await db
    .selectFrom('cohorts')
    .select((eb) => [
      eb.cast<string | null>('begins_on', 'text').as('beginsOn'),
      eb.cast<string | null>('ends_on', 'text').as('endsOn'),
    ])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

type CohortSort = (typeof COHORT_SORTS)[number];

function inOrder<O>(query: SelectQueryBuilder<DB & { c: Cohorts }, 'c', O>, sort: CohortSort) {
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const sorted = sort.endsWith('name')
    ? query.orderBy((eb) => eb.fn('lower', ['c.name']), direction).orderBy('c.name', direction)
    : query.orderBy('c.created_at', direction);
  return sorted.orderBy('c.id', direction);
}

/** A page of cohorts; `ids` null: of all. */
export async function findCohorts(
  db: Db,
  list: { match: string; sort: CohortSort; limit: number; offset: number; isArchived: boolean; ids: string[] | null },
): Promise<{ rows: CohortRow[]; total: number }> {
  const pattern = `%${list.match.replace(/[\\%_]/g, '\\$&')}%`;
  const all = db
    .selectFrom('cohorts as c')
    .where('c.deleted_at', 'is', null)
    .where('c.archived_at', list.isArchived ? 'is not' : 'is', null);
  const named = list.match === '' ? all : all.where('c.name', 'ilike', pattern);
  const matching = list.ids === null ? named : named.where('c.id', '=', sql<string>`any(${list.ids}::uuid[])`);
  // The subquery limits the page first, so the counts run only for cohorts on it.
  const page = inOrder(matching.select('c.id'), list.sort).limit(list.limit).offset(list.offset);
  const rows = await inOrder(cohorts(db).where('c.id', 'in', page), list.sort).execute();
  const counted =
    list.match === '' && !list.isArchived && list.ids === null
      ? db.selectNoFrom(sql<number>`${tallyOf('cohorts', sql`''`)} - ${closed(db)}`.as('total'))
      : matching.select(sql<number>`count(*)::int`.as('total'));
  const { total } = await counted.executeTakeFirstOrThrow();
  return { rows, total };
}

/** The number of archived and deleted cohorts. */
function closed(db: Db) {
  return db
    .selectFrom('cohorts')
    .select(sql<number>`count(*)::int`.as('count'))
    .where((eb) => eb.or([eb('archived_at', 'is not', null), eb('deleted_at', 'is not', null)]));
}
