import type { Db } from '#server/db/client.ts';
import { notify } from '#server/notify/notify.ts';
import { claimCohorts } from './cohort-claim.repository.ts';
import { claimEnrolments, notifyOfCohorts } from './enrolment-claim.service.ts';
import { claimOwnedCommunities } from './owner-claim.repository.ts';
import type { Proven } from './user.repository.ts';

/**
 * Grants everything reserved for an address to its owner. Runs in the transaction that proves the address, and may run
 * twice.
 */
export async function runClaims(db: Db, person: Proven): Promise<void> {
  const { userId } = person;
  const cohortIds = await claimCohorts(db, person); // its lock comes before those of communities and enrolments
  await notifyOfCohorts(db, cohortIds, userId);
  const communityIds = await claimOwnedCommunities(db, person);
  await notify(
    db,
    communityIds.map((objectId) => ({ userId, event: 'community_membership', objectId })),
  );
  await claimEnrolments(db, person);
}
