import type { Db } from '#server/db/client.ts';
import {
  type CohortPlaces,
  countSelfEnrolmentsOf,
  deleteUnstarted,
  endSelfEnrolments,
  findEnrolledByCohort,
} from './grant.repository.ts';

/**
 * Ends enrolments after users have left a cohort with these products, unless something else still allows them; also those that
 * the cohort made in former products. Progress and certificates stay for a later return. Enrolments that the cohort made and
 * nobody started are deleted. Returns the number of enrolments that ended.
 */
export async function endGrantedPlaces(db: Db, places: CohortPlaces): Promise<number> {
  if (places.userIds.length === 0) return 0;
  const deleted = await deleteUnstarted(db, { ...places, entryIds: null });
  return deleted + (await endSelfEnrolments(db, places));
}

/**
 * Ends, as when members leave, the enrolments that a cohort made in journeys of detached products, for the next users. Returns
 * the last of them, or null when nobody is left.
 */
export async function endDetachedPlaces(
  db: Db,
  detached: { cohortId: string; entryIds: string[]; after: string | null; limit: number },
): Promise<string | null> {
  const { cohortId, entryIds } = detached;
  const userIds = await findEnrolledByCohort(db, detached);
  if (userIds.length === 0) return null;
  await deleteUnstarted(db, { cohortId, userIds, entryIds });
  await endSelfEnrolments(db, { cohortId, userIds, entryIds, areMadeByCohort: true });
  return userIds.at(-1) ?? null;
}

/** The number of current enrolments that members of a cohort made themselves in journeys of its products. */
export async function countSelfEnrolments(db: Db, cohortId: string): Promise<number> {
  return await countSelfEnrolmentsOf(db, cohortId);
}
