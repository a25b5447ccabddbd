import { newId } from '../../db/client.ts';
import type { TestApp } from '../app.ts';

let counter = 0;

/** Creates an empty cohort of learners with these entries as products. */
export async function makeCohort(test: TestApp, given: { name?: string; products?: string[] } = {}): Promise<string> {
  counter += 1;
  const id = newId();
  await test.ctx.db
    .insertInto('cohorts')
    .values({ id, name: given.name ?? `Cohort ${counter}`, type: 'LEARNERS', primary_partner: 'City of Example' })
    .execute();
  for (const [position, entryId] of (given.products ?? []).entries())
    await test.ctx.db.insertInto('cohort_products').values({ cohort_id: id, entry_id: entryId, position }).execute();
  return id;
}

export async function putInCohort(test: TestApp, cohortId: string, person: { id: string }): Promise<void> {
  await test.ctx.db.insertInto('cohort_members').values({ cohort_id: cohortId, user_id: person.id }).execute();
}
