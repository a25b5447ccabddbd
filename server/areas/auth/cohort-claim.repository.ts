import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { Proven } from './user.repository.ts';

/** Whoever was invited to cohorts becomes their member. */
export async function claimCohorts(db: Db, { userId, email }: Proven): Promise<void> {
  // Alone: whoever is inviting this address has finished, or begins when this account is seen.
  await sql`select pg_advisory_xact_lock(hashtextextended('cohort invitations', 0))`.execute(db);
  await sql`
    with claimed as (delete from cohort_invitations where email = ${email} returning cohort_id, upload_id, by_hand)
    insert into cohort_members as m (cohort_id, user_id, upload_id, by_hand)
    select cohort_id, ${userId}, upload_id, by_hand from claimed
    on conflict (cohort_id, user_id) do update set by_hand = true where excluded.by_hand and not m.by_hand`.execute(db);
}
