import { type SqlBool, sql } from 'kysely';
import { NOW, type Db } from '#server/db/client.ts';

/**
 * Ends the memberships whose records have expired, of one address or of all. Memberships of other origin, or of an owner
 * or moderator, stay. A new end date can grant the record again. `db` is a transaction.
 */
export async function endMemberships(db: Db, email?: string): Promise<void> {
  const records = await lockEndedRecords(db, email);
  if (records.length === 0) return;
  // In the order in which granting records locks them, against deadlocks.
  await db
    .selectFrom('communities')
    .select('id')
    .where('slug', 'in', (eb) => eb.selectFrom('bulk_enrolments').select('slug').where('id', '=', anyOf(records)))
    .orderBy('slug')
    .forNoKeyUpdate()
    .execute();
  await setMissingEnds(db, records);
  await deleteEnded(db, records);
  await db.updateTable('bulk_enrolments').set({ granted_at: null }).where('id', '=', anyOf(records)).execute();
}

const anyOf = (ids: string[]) => sql<string>`any(${ids}::uuid[])`;

/** Locks the granted records of communities whose end has passed; before their communities, as when one is granted. */
async function lockEndedRecords(db: Db, email: string | undefined): Promise<string[]> {
  const rows = await db
    .selectFrom('bulk_enrolments')
    .select('id')
    .where('type', '=', 'communities')
    .where('granted_at', 'is not', null)
    .where('expires_on', '<=', NOW)
    .$if(email !== undefined, (qb) => qb.where('email', '=', email!)) // defined in this branch
    .orderBy('email')
    .orderBy('slug')
    .forUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Sets the end of memberships that were granted before their record got its end date. */
async function setMissingEnds(db: Db, records: string[]): Promise<void> {
  await db
    .updateTable('community_members as m')
    .from('bulk_enrolments as b')
    .innerJoin('users as u', 'u.email', 'b.email')
    .innerJoin('communities as c', 'c.slug', 'b.slug')
    .set((eb) => ({ expires_on: eb.ref('b.expires_on') }))
    .where('b.id', '=', anyOf(records))
    .whereRef('m.community_id', '=', 'c.id')
    .whereRef('m.user_id', '=', 'u.id')
    .whereRef('m.joined_at', '=', 'b.granted_at')
    .where('m.expires_on', 'is', null)
    .where('m.role', '=', 'member')
    .where('m.status', '=', 'active')
    .where(sql<SqlBool>`m.level is distinct from 3`)
    .execute();
}

/** Deletes the ended memberships of these records, and counts them off their communities. */
async function deleteEnded(db: Db, records: string[]): Promise<void> {
  await db
    .with('gone', (cte) =>
      cte
        .deleteFrom('community_members as m')
        .using(['bulk_enrolments as b', 'users as u', 'communities as c'])
        .where('b.id', '=', anyOf(records))
        .whereRef('u.email', '=', 'b.email')
        .whereRef('c.slug', '=', 'b.slug')
        .whereRef('m.community_id', '=', 'c.id')
        .whereRef('m.user_id', '=', 'u.id')
        .where('m.expires_on', '<=', NOW)
        .returning('m.community_id'),
    )
    .with('counted', (cte) =>
      cte
        .selectFrom('gone')
        .select((eb) => ['gone.community_id', eb.fn.countAll<number>().as('ended')])
        .groupBy('gone.community_id'),
    )
    .updateTable('communities as c')
    .from('counted')
    .set((eb) => ({ member_count: eb('c.member_count', '-', eb.ref('counted.ended')) }))
    .whereRef('c.id', '=', 'counted.community_id')
    .execute();
}
