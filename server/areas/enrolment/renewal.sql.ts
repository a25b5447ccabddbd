// Raw SQL: a call of an SQL function, typed nulls and the database clock.
import { type ExpressionBuilder, type OnConflictDatabase, type OnConflictTables, sql } from 'kysely';
import type { DB } from '#server/db/schema.ts';
import type { EnrolmentStatus } from './enrolment.rows.ts';

const NOW = sql<Date>`now()`;

/** A record and `excluded`, the one that is inserted over it. */
type FromRenewed = ExpressionBuilder<OnConflictDatabase<DB, 'bulk_enrolments'>, OnConflictTables<'bulk_enrolments'>>;

/** Whether the owner of a community record is an active member. */
const isMember = (eb: FromRenewed) =>
  eb.exists(
    eb
      .selectFrom('community_members as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .innerJoin('communities as c', 'c.id', 'm.community_id')
      .select('m.id')
      .whereRef('u.email', '=', 'bulk_enrolments.email')
      .whereRef('c.slug', '=', 'bulk_enrolments.slug')
      .where('m.status', '=', 'active'),
  );

/** The later of both end dates; null, for no end, is the latest. */
function laterEnd(eb: FromRenewed) {
  const isAnyEndless = eb.or([eb('bulk_enrolments.expires_on', 'is', null), eb('excluded.expires_on', 'is', null)]);
  return eb
    .case()
    .when(isAnyEndless)
    .then(sql<Date | null>`null`)
    .else(eb.fn<Date | null>('greatest', ['bulk_enrolments.expires_on', 'excluded.expires_on']))
    .end();
}

/** The changes to a record that is inserted again. */
export function renewal(eb: FromRenewed, { keepsLaterEnd }: { keepsLaterEnd: boolean }) {
  const status = eb.fn<EnrolmentStatus>('enrolment_status', ['bulk_enrolments.status', 'bulk_enrolments.expires_on']);
  return {
    expires_on: keepsLaterEnd
      ? eb.case().when(status, '=', 'enrolled').then(laterEnd(eb)).else(eb.ref('excluded.expires_on')).end()
      : eb.ref('excluded.expires_on'),
    metadata: eb.ref('excluded.metadata'),
    user_defaults: eb.ref('excluded.user_defaults'),
    cohort_ids: eb.ref('excluded.cohort_ids'),
    updated_at: NOW,
    status: eb.case().when(status, '=', 'expired').then('created').else(eb.ref('bulk_enrolments.status')).end(),
    granted_at: eb
      .case()
      .when(status, '=', 'expired')
      .then(sql<Date | null>`null`)
      // A former member who left is admitted again.
      .when(eb.and([eb('bulk_enrolments.type', '=', 'communities'), eb.not(isMember(eb))]))
      .then(sql<Date | null>`null`)
      .else(eb.ref('bulk_enrolments.granted_at'))
      .end(),
  };
}
