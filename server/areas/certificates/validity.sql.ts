// Raw SQL: JSON that several statements embed.
import { type RawBuilder, sql } from 'kysely';
import type { ValidityJson } from '#server/areas/learner/learner.rows.ts';

/** Days before the end of a certificate in which it may be renewed. */
export const RENEWAL_DAYS = 60;

/** The begin of the time in which certificate `t` may be renewed: its last days, but not in the first half of its time. */
export const RENEWABLE_FROM = sql<Date>`greatest(t.expires_at - make_interval(days => ${sql.lit(RENEWAL_DAYS)}),
  t.issued_at + (t.expires_at - t.issued_at) / 2)`;

/** Whether certificate `t` is the one in force of its holder and journey, and expires. */
export const EXPIRES = sql<boolean>`(t.expires_at is not null and t.replaced_by is null and t.revoked_at is null)`;

/**
 * SQL for how long a user's certificate of a journey is valid, with the state of its renewal, as JSON. Null without a
 * certificate, and for one that was revoked or does not expire.
 */
export function validityJson(
  journeyKey: RawBuilder<unknown>,
  userId: RawBuilder<unknown>,
): RawBuilder<ValidityJson | null> {
  return sql<ValidityJson | null>`(
    select json_build_object(
      'expiresAt', t.expires_at, 'isExpired', t.expires_at <= now(),
      'renewal', case
        when holder.renewal_completed_at is not null then 'finished'
        when holder.renewal_begun_at is not null then 'begun'
        when enrolment_status(holder.status, holder.expires_on) = 'enrolled' and ${RENEWABLE_FROM} <= now() then 'open'
        else 'closed' end,
      'isRequired', exists (
        select from cohort_members member
        join cohorts cohort on cohort.id = member.cohort_id and cohort.archived_at is null and cohort.deleted_at is null
        join cohort_products asked on asked.cohort_id = cohort.id
        join journeys required on required.key = t.journey_key
          and asked.entry_id in (required.entry_id, required.course_id)
        where member.user_id = t.user_id))
    from certificates t
    left join journey_enrolments holder on holder.user_id = t.user_id and holder.journey_key = t.journey_key
    where t.journey_key = ${journeyKey} and t.user_id = ${userId} and ${EXPIRES})`;
}
