import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import type { Claim } from './claim.ts';
import { claimCohorts } from './cohort-claim.ts';
import { claimEnrolments } from './enrolment-claim.ts';
import { claimOwnedCommunities } from './owner-claim.ts';

/** In this order: the first takes the lock that stands before those of communities and records. */
const CLAIMS: readonly Claim[] = [claimCohorts, claimOwnedCommunities, claimEnrolments];

export async function runClaims(ctx: Ctx, db: Db, person: { userId: string; email: string }): Promise<void> {
  for (const claim of CLAIMS) await claim(ctx, db, person);
}
