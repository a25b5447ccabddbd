import type { Db } from '#server/db/client.ts';
import { claimCohorts } from './cohort-claim.repository.ts';
import { claimEnrolments } from './enrolment-claim.service.ts';
import { claimOwnedCommunities } from './owner-claim.repository.ts';
import type { Proven } from './user.repository.ts';

/** Gives a person what waited for their address. Called in the transaction that proves it, maybe more than once. */
export async function runClaims(db: Db, person: Proven): Promise<void> {
  await claimCohorts(db, person); // takes the lock that stands before those of communities and records
  await claimOwnedCommunities(db, person);
  await claimEnrolments(db, person);
}
