// Raw SQL: a setting of the transaction, and a function of the database.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './client.ts';

/** The counts that triggers maintain; `functions/tallies.sql` defines their keys. */
export type TalliedNumber =
  'people' | 'cohorts' | 'cohort_members' | 'cohort_invitations' | 'community_members' | 'bulk_enrolments' | 'mails';

/** The current count of one key, within the surrounding statement. */
export function tallyOf(thing: TalliedNumber, key: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select coalesce(sum(t.n), 0)::int from tallied t where t.thing = ${thing} and t.key = ${key})`;
}

/** Adds the waiting changes to the sums. The timeout is long because an import may have left many. */
export async function foldTallies(db: Db): Promise<void> {
  await sql`set local statement_timeout = '10min'`.execute(db);
  await sql`select fold_tallies()`.execute(db);
}
