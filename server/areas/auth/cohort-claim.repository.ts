import { sql } from 'kysely';
import { lockName } from '#server/db/advisory-lock.ts';
import type { Db } from '#server/db/client.ts';
import { isOver } from '#server/db/cohort-days.sql.ts';
import type { Proven } from './user.repository.ts';

/**
 * Turns cohort invitations for the address into memberships; those of archived cohorts and cohorts that have ended wait. Returns the cohorts that
 * the user joined.
 */
export async function claimCohorts(db: Db, { userId, email }: Proven): Promise<string[]> {
  // Serialises with invitations: one that runs first is visible here, one that runs later sees this account.
  await lockName(db, 'cohort invitations');
  const rows = await db
    .with('claimed', (cte) =>
      cte
        .deleteFrom('cohort_invitations as i')
        .using('cohorts as c')
        .where('i.email', '=', email)
        .whereRef('c.id', '=', 'i.cohort_id')
        .where('c.archived_at', 'is', null)
        .where(({ not, ref }) => not(isOver(ref('c.ends_on'))))
        .where('c.deleted_at', 'is', null)
        .returning(['i.cohort_id', 'i.upload_id', 'i.by_hand']),
    )
    .with('former', (cte) => cte.selectFrom('cohort_members').select('cohort_id').where('user_id', '=', userId))
    .with('joined', (cte) =>
      cte
        .insertInto('cohort_members')
        .columns(['cohort_id', 'user_id', 'upload_id', 'by_hand'])
        .expression((eb) =>
          eb
            .selectFrom('claimed')
            .select(['cohort_id', sql<string>`${userId}::uuid`.as('user_id'), 'upload_id', 'by_hand']),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['cohort_id', 'user_id'])
            .doUpdateSet({ by_hand: true })
            .where('excluded.by_hand', '=', true)
            .where('cohort_members.by_hand', '=', false),
        )
        .returning('cohort_id'),
    )
    .selectFrom('joined')
    .select('cohort_id')
    .where('cohort_id', 'not in', (eb) => eb.selectFrom('former').select('cohort_id'))
    .execute();
  return rows.map((row) => row.cohort_id);
}

/** An address, and the cohorts its enrolment record names. */
export type CohortInvitees = { email: string; cohortIds: string[] };

/**
 * Invites an address to these cohorts, except those it belongs to and those that are archived or over. In the order of ids,
 * against deadlocks.
 */
export async function inviteToCohorts(db: Db, { email, cohortIds }: CohortInvitees): Promise<void> {
  await db
    .insertInto('cohort_invitations')
    .columns(['id', 'cohort_id', 'email'])
    .expression((eb) =>
      eb
        .selectFrom('cohorts as c')
        .select((select) => [
          sql<string>`new_id()`.as('id'),
          'c.id as cohort_id',
          select.cast<string>(select.val(email), 'text').as('email'),
        ])
        .where('c.id', '=', eb.fn.any(eb.val(cohortIds)))
        .where('c.archived_at', 'is', null)
        .where(({ not, ref }) => not(isOver(ref('c.ends_on'))))
        .where('c.deleted_at', 'is', null)
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('cohort_members as m')
                .innerJoin('users as u', 'u.id', 'm.user_id')
                .select('m.user_id')
                .whereRef('m.cohort_id', '=', 'c.id')
                .where('u.email', '=', email),
            ),
          ),
        )
        .orderBy('c.id'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Adds a user to these cohorts, except archived ones and ones that are over, and returns those they joined. In the order of ids, against
 * deadlocks.
 */
export async function joinCohorts(db: Db, cohortIds: string[], userId: string): Promise<string[]> {
  const rows = await db
    .insertInto('cohort_members')
    .columns(['cohort_id', 'user_id'])
    .expression((eb) =>
      eb
        .selectFrom('cohorts as c')
        .select((select) => ['c.id as cohort_id', select.cast<string>(select.val(userId), 'uuid').as('user_id')])
        .where('c.id', '=', eb.fn.any(eb.val(cohortIds)))
        .where('c.archived_at', 'is', null)
        .where(({ not, ref }) => not(isOver(ref('c.ends_on'))))
        .where('c.deleted_at', 'is', null)
        .orderBy('c.id'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('cohort_id')
    .execute();
  return rows.map((row) => row.cohort_id);
}

/** Deletes the invitations of these cohorts. Those of archived cohorts and cohorts that have ended wait. */
export async function deleteInvitations(db: Db, { email, cohortIds }: CohortInvitees): Promise<void> {
  await db
    .deleteFrom('cohort_invitations as i')
    .using('cohorts as c')
    .where('i.email', '=', email)
    .where('i.cohort_id', '=', (eb) => eb.fn.any(eb.val(cohortIds)))
    .whereRef('c.id', '=', 'i.cohort_id')
    .where('c.archived_at', 'is', null)
    .where(({ not, ref }) => not(isOver(ref('c.ends_on'))))
    .execute();
}
