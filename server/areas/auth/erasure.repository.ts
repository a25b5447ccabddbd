import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/**
 * Takes everything that says who a person is from the tables of accounts, what they learned with their certificates, and
 * their memberships with the counters. The nameless row stays: what they said to others hangs on it.
 */
export async function eraseUserRows(db: Db, { id, email }: { id: string; email: string }): Promise<void> {
  // Alone, as whoever proves an address is: nobody is put into a cohort or given a place meanwhile.
  await sql`select pg_advisory_xact_lock(hashtextextended('cohort invitations', 0))`.execute(db);
  await sql`
    select 1 from communities where id in (select community_id from community_members where user_id = ${id})
    order by id for update`.execute(db);
  await sql`
    with gone as (delete from community_members where user_id = ${id} returning community_id, status)
    update communities c set member_count = member_count - 1
    from gone where c.id = gone.community_id and gone.status = 'active'`.execute(db);
  await sql`delete from academy_members where user_id = ${id}`.execute(db);
  await sql`delete from cohort_members where user_id = ${id}`.execute(db);
  await sql`delete from cohort_invitations where email = ${email}`.execute(db);
  await sql`delete from cohort_upload_rows where email = ${email}`.execute(db);
  await sql`delete from certificates where user_id = ${id}`.execute(db);
  await sql`delete from lesson_completions where user_id = ${id}`.execute(db);
  await sql`delete from journey_enrolments where user_id = ${id}`.execute(db);
  await sql`delete from ai_threads where user_id = ${id}`.execute(db);
  // A vote is a part of a result: it stays, of nobody, without the words it came with.
  await sql`update poll_votes set detail = '{}' where user_id = ${id} and detail <> '{}'`.execute(db);
  await sql`delete from bulk_enrolments where email = ${email}`.execute(db);
  await sql`delete from referrals where referrer_id = ${id} or email = ${email}`.execute(db);
  await sql`delete from connections where low_id = ${id} or high_id = ${id}`.execute(db);
  await sql`delete from sessions where user_id = ${id}`.execute(db);
  await sql`delete from password_history where user_id = ${id}`.execute(db);
  await sql`delete from challenges where user_id = ${id}`.execute(db);
  await sql`delete from mails where user_id = ${id} or recipient = ${email}`.execute(db);
  await sql`delete from auto_approvals where type = 'email' and lower(value) = ${email}`.execute(db);
  await sql`delete from idempotency_keys where caller = ${id}`.execute(db);
  await sql`
    update users set
      name = 'Deleted user', email = null, email_proven_at = null, role = 'inactive', password_hash = null, nickname = null,
      member_type = null, job_title = null, organization = null, location = null, biography = null, bio_link = null,
      image_full = null, image_thumbnail = null, locale = 'en', locale_chosen = false, visibility = 'private',
      badges = '{}', onboarding_state = null, sign_up = '{}', approved_by_rule = null, registration_status = null,
      registration_reason = null, updated_at = now(), erased_at = now()
    where id = ${id}`.execute(db);
}
