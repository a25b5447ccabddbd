import type { COHORT_SORTS } from '@officium/contract/admin';
import { type RawBuilder, sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import { tallyOf } from '#server/db/tallies.ts';

/** The columns an administrator writes, by the names of the contract. */
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
};
export type CohortRow = CohortFields & {
  id: string;
  createdAt: Date;
  updatedAt: Date;
  members: number;
  invitations: number;
  products: number;
};

const COLUMNS = sql`c.id, c.created_at as "createdAt", c.updated_at as "updatedAt", ${sql.join(
  Object.entries(COLUMN_OF).map(([field, column]) => sql`${sql.ref(`c.${column}`)} as ${sql.ref(field)}`),
)},
  ${tallyOf('cohort_members', sql`c.id::text`)} as members,
  ${tallyOf('cohort_invitations', sql`c.id::text`)} as invitations,
  (select count(*) from cohort_products p where p.cohort_id = c.id)::int as products`;

export async function insertCohort(db: Db, fields: CohortFields): Promise<string> {
  const id = newId();
  const columns = Object.values(COLUMN_OF).map((column) => sql.ref(column));
  const values = Object.keys(COLUMN_OF).map((field) => sql`${fields[field as keyof CohortFields]}`); // its keys
  await sql`insert into cohorts (id, ${sql.join(columns)}) values (${id}, ${sql.join(values)})`.execute(db);
  return id;
}

export async function getCohort(db: Db, id: string): Promise<CohortRow | undefined> {
  const { rows } = await sql<CohortRow>`select ${COLUMNS} from cohorts c where c.id = ${id}`.execute(db);
  return rows[0];
}

export async function hasCohort(db: Db, id: string): Promise<boolean> {
  const { rows } = await sql`select 1 from cohorts where id = ${id}`.execute(db);
  return rows.length > 0;
}

export async function lockCohort(db: Db, id: string): Promise<void> {
  await sql`select 1 from cohorts where id = ${id} for no key update`.execute(db);
}

/** False when there is none. */
export async function updateCohortRow(db: Db, id: string, changes: Partial<CohortFields>): Promise<boolean> {
  const sets = Object.entries(changes).map(
    ([field, value]) => sql`${sql.ref(COLUMN_OF[field as keyof CohortFields])} = ${value}`, // its keys
  );
  const { numAffectedRows = 0n } = await sql`
    update cohorts set ${sql.join([...sets, sql`updated_at = now()`])} where id = ${id}`.execute(db);
  return numAffectedRows > 0n;
}

const ORDERS: Record<(typeof COHORT_SORTS)[number], RawBuilder<unknown>> = {
  name: sql`lower(c.name), c.name, c.id`,
  '-name': sql`lower(c.name) desc, c.name desc, c.id desc`,
  createdAt: sql`c.created_at, c.id`,
  '-createdAt': sql`c.created_at desc, c.id desc`,
};

export async function findCohorts(
  db: Db,
  list: { match: string; sort: (typeof COHORT_SORTS)[number]; limit: number; offset: number },
): Promise<{ rows: CohortRow[]; total: number }> {
  const pattern = `%${list.match.replace(/[\\%_]/g, '\\$&')}%`;
  const where = list.match === '' ? sql`true` : sql`c.name ilike ${pattern}`;
  // What is counted of a cohort is counted of those on the page, not of those before it.
  const { rows } = await sql<CohortRow>`
    select ${COLUMNS} from (
      select * from cohorts c where ${where} order by ${ORDERS[list.sort]} limit ${list.limit} offset ${list.offset}) c
    order by ${ORDERS[list.sort]}`.execute(db);
  const total =
    list.match === '' ? tallyOf('cohorts', sql`''`) : sql`(select count(*)::int from cohorts c where ${where})`;
  const { rows: counted } = await sql<{ total: number }>`select ${total} as total`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}
