import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { isOver } from '#server/db/cohort-days.sql.ts';
import { tallyOf } from '#server/db/tallies.ts';

const NOW = sql<Date>`now()`;

export async function renameRow(db: Db, id: string, name: string): Promise<{ former: string } | undefined> {
  const row = await db
    .selectFrom('cohorts')
    .select('name as former')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (row) await db.updateTable('cohorts').set({ name, updated_at: NOW }).where('id', '=', id).execute();
  return row;
}

/** False if the cohort is in that state already or does not exist. */
export async function setArchived(db: Db, id: string, isArchived: boolean): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('cohorts')
    .set({ archived_at: isArchived ? NOW : null, updated_at: NOW })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('archived_at', isArchived ? 'is' : 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Turns the invitations of accounts with a proven address into memberships and returns the users who joined; nobody
 * if the cohort takes no people. The caller has locked placing.
 */
export async function claimInvitations(db: Db, cohortId: string): Promise<string[]> {
  const rows = await db
    .with('claimed', (cte) =>
      cte
        .deleteFrom('cohort_invitations as i')
        .using(['users as u', 'cohorts as c'])
        .where('i.cohort_id', '=', cohortId)
        .whereRef('c.id', '=', 'i.cohort_id')
        .where('c.archived_at', 'is', null)
        .where(({ not, ref }) => not(isOver(ref('c.ends_on'))))
        .whereRef('u.email', '=', 'i.email')
        .where('u.email_proven_at', 'is not', null)
        .where('u.role', '<>', 'inactive')
        .returning(['i.cohort_id', 'u.id as user_id', 'i.upload_id', 'i.by_hand']),
    )
    .insertInto('cohort_members')
    .columns(['cohort_id', 'user_id', 'upload_id', 'by_hand'])
    .expression((eb) =>
      eb.selectFrom('claimed').select(['cohort_id', 'user_id', 'upload_id', 'by_hand']).orderBy('user_id'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute();
  return rows.map((row) => row.user_id);
}

export type DeletionRow = {
  id: string;
  name: string;
  members: number;
  invitations: number;
  uploads: number;
  waiting: number;
  products: number;
};

/** Numbers of the things that the deletion of a cohort removes. */
export async function getDeletion(db: Db, id: string): Promise<DeletionRow | undefined> {
  return await db
    .selectFrom('cohorts as c')
    .select((eb) => {
      const uploads = eb.selectFrom('cohort_uploads as u').whereRef('u.cohort_id', '=', 'c.id');
      const products = eb.selectFrom('cohort_products as p').whereRef('p.cohort_id', '=', 'c.id');
      return [
        'c.id',
        'c.name',
        tallyOf('cohort_members', sql`${eb.ref('c.id')}::text`).as('members'),
        tallyOf('cohort_invitations', sql`${eb.ref('c.id')}::text`).as('invitations'),
        uploads
          .select(sql<number>`count(*)::int`.as('n'))
          .$asScalar()
          .$notNull()
          .as('uploads'),
        uploads
          .select(sql<number>`coalesce(sum(u.waiting) filter (where u.undo_started_at is null), 0)::int`.as('n'))
          .$asScalar()
          .$notNull()
          .as('waiting'),
        products
          .select(sql<number>`count(*)::int`.as('n'))
          .$asScalar()
          .$notNull()
          .as('products'),
      ];
    })
    .where('c.id', '=', id)
    .where('c.deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Locks a cohort for its deletion. */
export async function lockName(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('cohorts')
    .select('name')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row?.name;
}

/** Hides a cohort and ends the access it gives. Returns the products it had. */
export async function markDeleted(db: Db, id: string): Promise<string[]> {
  await db.updateTable('cohorts').set({ deleted_at: NOW, updated_at: NOW }).where('id', '=', id).execute();
  const products = await db.deleteFrom('cohort_products').where('cohort_id', '=', id).returning('entry_id').execute();
  await db.deleteFrom('cohort_drafts').where('cohort_id', '=', id).execute();
  return products.map((row) => row.entry_id);
}

export async function removeInvitations(db: Db, cohortId: string, limit: number): Promise<string[]> {
  const some = db.selectFrom('cohort_invitations').select('id').where('cohort_id', '=', cohortId);
  const rows = await db
    .deleteFrom('cohort_invitations')
    .where('id', 'in', some.orderBy('id').limit(limit))
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function removeMembers(db: Db, cohortId: string, limit: number): Promise<string[]> {
  const some = db.selectFrom('cohort_members').select('user_id').where('cohort_id', '=', cohortId);
  const rows = await db
    .deleteFrom('cohort_members')
    .where('cohort_id', '=', cohortId)
    .where('user_id', 'in', some.orderBy('user_id').limit(limit))
    .returning('user_id')
    .execute();
  return rows.map((row) => row.user_id);
}

/** Deletes the next addresses of a cohort's uploads. Returns their number. */
export async function removeUploadRows(db: Db, cohortId: string, limit: number): Promise<number> {
  const some = db
    .selectFrom('cohort_upload_rows as r')
    .innerJoin('cohort_uploads as u', 'u.id', 'r.upload_id')
    .select(['r.upload_id', 'r.position'])
    .where('u.cohort_id', '=', cohortId)
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('cohort_upload_rows as r')
    .where((eb) => eb(eb.refTuple('r.upload_id', 'r.position'), 'in', some.$asTuple('upload_id', 'position')))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function removeCohort(db: Db, id: string): Promise<void> {
  await db.deleteFrom('cohorts').where('id', '=', id).where('deleted_at', 'is not', null).execute();
}
