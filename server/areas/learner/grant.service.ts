import type { Db } from '#server/db/client.ts';
import { endPlaces } from './grant.repository.ts';

/**
 * What follows when people are no longer in a cohort with these products: the places they took by it end, those that
 * something else allows too stay. Progress and certificates stay, and coming back finds them. How many places ended.
 */
export async function endGrantedPlaces(db: Db, people: { userIds: string[]; entryIds: string[] }): Promise<number> {
  if (people.userIds.length === 0 || people.entryIds.length === 0) return 0;
  return await endPlaces(db, people);
}
