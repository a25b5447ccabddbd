import { lockName } from '../db/advisory-lock.ts';
import type { Db } from '../db/client.ts';
import { eraseRows, type Person, type PersonalTable } from './define.ts';

/** Erases a person in every table as declared, and returns the keys of their files, to be deleted after the commit. */
export async function erasePerson(db: Db, tables: readonly PersonalTable[], person: Person): Promise<string[]> {
  // Serialised with the proof of addresses: nobody is added to a cohort or enrolled meanwhile.
  await lockName(db, 'cohort invitations');
  const keys: string[] = [];
  // Twice, to catch rows of running requests: the first pass ends with the account, and from then on the trigger
  // `refuse_erased` refuses new ones.
  for (const table of [...tables, ...tables]) {
    if (table.files) keys.push(...(await table.files(db, person)).map(({ key }) => key));
    await eraseRows(db, table, person);
  }
  return keys;
}
