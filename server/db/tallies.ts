import { type RawBuilder, sql } from 'kysely';
import type { Db } from './client.ts';

/** What is counted as it changes, by triggers; `functions/tallies.sql` says by which keys. */
export type TalliedNumber =
  'people' | 'cohorts' | 'cohort_members' | 'cohort_invitations' | 'community_members' | 'bulk_enrolments' | 'mails';

/** How many there are of one key, at the moment of the statement this stands in. */
export function tallyOf(thing: TalliedNumber, key: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(select coalesce(sum(t.n), 0)::int from tallied t where t.thing = ${thing} and t.key = ${key})`;
}

/** Adds to the sums what waits. As long as it takes: an import may have left much. */
export async function foldTallies(db: Db): Promise<void> {
  await sql`set local statement_timeout = '10min'`.execute(db);
  await sql`select fold_tallies()`.execute(db);
}
