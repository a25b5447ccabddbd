import type { Db } from '#server/db/client.ts';
import { countSelfEnrolmentsOf, endSelfEnrolments } from './grant.repository.ts';

/**
 * Ends enrolments after users have left a cohort with these products, unless something else still allows them. Progress and
 * certificates stay for a later return. Returns the number of enrolments that ended.
 */
export async function endGrantedPlaces(db: Db, people: { userIds: string[]; entryIds: string[] }): Promise<number> {
  if (people.userIds.length === 0 || people.entryIds.length === 0) return 0;
  return await endSelfEnrolments(db, people);
}

/** The number of current enrolments that members of a cohort made themselves in journeys of its products. */
export async function countSelfEnrolments(db: Db, cohortId: string): Promise<number> {
  return await countSelfEnrolmentsOf(db, cohortId);
}
