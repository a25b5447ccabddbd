import { sql } from 'kysely';
import type { Claim } from './claims.ts';

/** Whoever was invited to cohorts becomes their member. */
export const claimCohorts: Claim = async (_ctx, db, { userId, email }) => {
  // Alone: whoever is inviting this address has finished, or begins when this account is seen.
  await sql`select pg_advisory_xact_lock(hashtextextended('cohort invitations', 0))`.execute(db);
  await sql`
    with claimed as (delete from cohort_invitations where email = ${email} returning cohort_id, upload_id)
    insert into cohort_members (cohort_id, user_id, upload_id)
    select cohort_id, ${userId}, upload_id from claimed
    on conflict do nothing`.execute(db);
};
