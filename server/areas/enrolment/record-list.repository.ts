// Raw SQL: the parts of the list and of the count depend on the filters.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { selectRecords } from './enrolment.repository.ts';
import type { BulkEnrolmentRow, EnrolmentStatus, EnrolmentType } from './enrolment.rows.ts';

export type RecordQuery = {
  email?: string;
  status?: EnrolmentStatus;
  type?: EnrolmentType;
  limit: number;
  offset: number;
};

/** Records whose stored status is no longer current: few, and each condition has an index. */
const OUTDATED = [
  sql`b.expires_on is not null and b.status <> 'expired' and b.expires_on <= now()`,
  sql`b.expires_on is not null and b.status = 'expired' and b.expires_on > now()`,
];

/** Records with this current status, newest first: those stored with it, and the outdated ones that have it now. */
function withStatus(status: EnrolmentStatus, where: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  const isCurrent = sql`enrolment_status(b.status, b.expires_on) = ${status} and ${where}`;
  const sources = [
    sql`b.status = ${status}`,
    ...OUTDATED.map((isOutdated) => sql`b.status <> ${status} and ${isOutdated}`),
  ];
  const found = sources.map(
    (isStored) =>
      sql`(select b.id from bulk_enrolments b where ${isStored} and ${isCurrent} order by b.id desc limit ${limit})`,
  );
  return sql.join(found, sql` union all `);
}

/** Number of records with this current status: the stored tallies, corrected by the outdated records. */
function countRecords({ status, type }: RecordQuery): RawBuilder<unknown> {
  const isOfType = type === undefined ? sql`true` : sql`b.type = ${type}`;
  const stored = sql`(select coalesce(sum(t.n), 0)::int from tallied t where t.thing = 'bulk_enrolments'
    and ${type === undefined ? sql`true` : sql`split_part(t.key, ' ', 1) = ${type}`}
    and ${status === undefined ? sql`true` : sql`split_part(t.key, ' ', 2) = ${status}`})`;
  if (status === undefined) return stored;
  const corrections = OUTDATED.map(
    (isOutdated) => sql`(select (count(*) filter (where enrolment_status(b.status, b.expires_on) = ${status})
        - count(*) filter (where b.status = ${status}))::int
      from bulk_enrolments b where ${isOutdated} and ${isOfType})`,
  );
  return sql.join([stored, ...corrections], sql` + `);
}

/** A page of records, newest first, and the total. */
export async function findRecords(db: Db, query: RecordQuery): Promise<{ rows: BulkEnrolmentRow[]; total: number }> {
  const { email, status, type, limit, offset } = query;
  const where = sql.join(
    [
      sql`true`,
      ...(email === undefined ? [] : [sql`b.email = ${email}`]),
      ...(type === undefined ? [] : [sql`b.type = ${type}`]),
    ],
    sql` and `,
  );
  const isStatus = status === undefined ? sql`true` : sql`enrolment_status(b.status, b.expires_on) = ${status}`;
  const found =
    email === undefined && status !== undefined
      ? withStatus(status, where, limit + offset)
      : sql`select b.id from bulk_enrolments b where ${where} and ${isStatus}`;
  const rows = await selectRecords(db)
    .where(
      'b.id',
      'in',
      sql<string>`(select f.id from (${found}) f order by f.id desc limit ${limit} offset ${offset})`,
    )
    .orderBy('b.id', 'desc')
    .execute();
  const count =
    email === undefined
      ? countRecords(query)
      : sql`(select count(*)::int from bulk_enrolments b where ${where} and ${isStatus})`;
  const { total } = await db.selectNoFrom(sql<number>`${count}`.as('total')).executeTakeFirstOrThrow();
  return { rows, total };
}
