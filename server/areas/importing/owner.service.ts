import type { Db } from '#server/db/client.ts';
import * as owners from './owner.repository.ts';

/**
 * Makes the people named in a folder owners of their communities: immediately if the address belongs to an account and
 * is proven, else later (auth applies the claims). Owners are added, never removed. Returns the communities that
 * changed.
 */
export async function nameOwners(db: Db, named: { communityId: string; emails: string[] }[]): Promise<Set<string>> {
  const communityIds = named.map((item) => item.communityId);
  if (communityIds.length === 0) return new Set();
  const list = named.flatMap(({ communityId, emails }) =>
    [...new Set(emails)].map((email, position) => ({ communityId, email, position })),
  );
  const accounts = await owners.findProven(db, [...new Set(list.map((item) => item.email))]);
  const present = list.flatMap(({ communityId, email }) => {
    const userId = accounts.get(email);
    return userId === undefined ? [] : [{ communityId, userId }];
  });
  const joined = await makeOwners(db, present);
  const claims = await owners.putClaims(
    db,
    communityIds,
    list.filter((item) => !accounts.has(item.email)),
  );
  return new Set([...joined, ...claims]);
}

/** Makes users owners and updates the member counts. */
export async function makeOwners(db: Db, people: { communityId: string; userId: string }[]): Promise<string[]> {
  if (people.length === 0) return [];
  await owners.lockCommunities(
    db,
    people.map((person) => person.communityId),
  );
  const changed = await owners.putOwners(db, people);
  if (changed.length > 0) await owners.countMembers(db, changed);
  return changed;
}
