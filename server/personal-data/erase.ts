import { sql } from 'kysely';
import type { Db } from '../db/client.ts';
import { eraseRows, type Person, type PersonalTable } from './define.ts';

/**
 * Does in every table what it declares for a person who is erased, and answers the keys of their files, which are to go
 * once the transaction commits.
 */
export async function erasePerson(db: Db, tables: readonly PersonalTable[], person: Person): Promise<string[]> {
  // Alone, as whoever proves an address is: nobody is put into a cohort or given a place meanwhile.
  await sql`select pg_advisory_xact_lock(hashtextextended('cohort invitations', 0))`.execute(db);
  const keys: string[] = [];
  // A second time for what requests under way wrote during the first, which ends with the account: from then on
  // `refuse_erased` in the database lets nothing more in.
  for (const table of [...tables, ...tables]) {
    if (table.files) keys.push(...(await table.files(db, person)).map(({ key }) => key));
    await eraseRows(db, table, person);
  }
  return keys;
}
