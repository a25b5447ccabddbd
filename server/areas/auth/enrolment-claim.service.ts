import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import { stripMarkup } from '#server/text/sanitise.ts';
import { notify } from '#server/notify/notify.ts';
import * as cohorts from './cohort-claim.repository.ts';
import * as repository from './enrolment-claim.repository.ts';
import { getUser, type Proven, updateUser } from './user.repository.ts';

const MAX_DETAIL = 200;

/** Notifies a user that they were added to these cohorts. */
export async function notifyOfCohorts(db: Db, cohortIds: string[], userId: string): Promise<void> {
  await notify(
    db,
    cohortIds.map((objectId) => ({ userId, event: 'cohort_membership', objectId })),
  );
}

/** Cleans a profile text and cuts it to its limit, as for text a user writes. */
function plain(given: string | undefined): string | undefined {
  return given && [...stripMarkup(given)].slice(0, MAX_DETAIL).join('');
}

/** Grants enrolments reserved for the address, and fills empty profile fields with the details given with them. */
export async function claimEnrolments(db: Db, { userId, email }: Proven): Promise<void> {
  const rows = await db
    .selectFrom('bulk_enrolments')
    .select('user_defaults')
    .where('email', '=', email)
    .where('granted_at', 'is', null)
    .orderBy('id')
    .execute();
  if (rows.length === 0) return;
  const defaults = Object.assign({}, ...rows.map((row) => row.user_defaults)) as Record<string, string>; // maps of strings
  const user = await getUser(db, userId);
  const [jobTitle, organization] = [plain(defaults['jobTitle']), plain(defaults['organization'])];
  if (user && ((jobTitle && !user.job_title) || (organization && !user.organization)))
    await updateUser(db, userId, {
      job_title: user.job_title || jobTitle,
      organization: user.organization || organization,
    });
  // In one order everywhere, because granting a record locks communities and cohorts.
  for (const id of await repository.findOpenRecords(db, email)) await settleRecord(db, id);
}

/**
 * Grants a record to the owner of its address: once, and only when the address is proven and the record has not expired.
 * Without an owner a new record becomes pending, and its cohorts invite the address. Records of an inactive account stay
 * pending until it is active again. Returns true when the address has to be invited by mail. `db` is a transaction.
 */
export async function settleRecord(db: Db, id: string): Promise<boolean> {
  const record = await repository.lockOpenRecord(db, id);
  if (!record) return false;
  const invitees = { email: record.email, cohortIds: record.cohort_ids };
  const owner = await repository.getOwner(db, record.email);
  if (owner?.role === 'inactive') {
    await repository.markPending(db, id);
    return false;
  }
  if (!owner?.isProven) {
    await cohorts.inviteToCohorts(db, invitees);
    return await repository.markPending(db, id);
  }
  await joinCohorts(db, invitees.cohortIds, owner.id);
  await cohorts.deleteInvitations(db, invitees);
  if (record.type === 'courses') await repository.enrolInJourneys(db, id, owner.id);
  else await admit(db, id, owner.id);
  await repository.markGranted(db, id);
  return false;
}

/** Makes a user a member of the community of a record, or extends the membership. */
async function admit(db: Db, recordId: string, userId: string): Promise<void> {
  const communityId = await repository.lockCommunityOf(db, recordId);
  if (communityId === undefined) return;
  const membership = { communityId, userId };
  await repository.endMembership(db, membership);
  await repository.extendMembership(db, recordId, membership);
  if (await repository.isMember(db, membership)) return;
  await repository.addMember(db, recordId, membership);
  await notify(db, [{ userId, event: 'community_membership', objectId: communityId }]);
}

/** Copies a changed end date and changed cohorts of a granted record to the access it granted. `db` is a transaction. */
export async function followRecord(db: Db, id: string): Promise<void> {
  const record = await repository.getGrantedRecord(db, id);
  if (!record) return;
  const { type, userId, cohort_ids: cohortIds } = record;
  if (type === 'courses') await repository.updateJourneys(db, id, userId);
  else {
    const communityId = await repository.lockCommunityOf(db, id);
    if (communityId !== undefined) await repository.updateMembership(db, id, { communityId, userId });
  }
  await joinCohorts(db, cohortIds, userId);
}

async function joinCohorts(db: Db, cohortIds: string[], userId: string): Promise<void> {
  await notifyOfCohorts(db, await cohorts.joinCohorts(db, cohortIds, userId), userId);
}

/**
 * Moves granted enrolments to the user's new address. Call it after the claims of the new address, which win over
 * these.
 */
export async function moveEnrolments(db: Db, { from, to }: { from: string; to: string }): Promise<void> {
  await db
    .deleteFrom('bulk_enrolments as former')
    .using('bulk_enrolments as own')
    .where('former.email', '=', from)
    .where('former.granted_at', 'is not', null)
    .where('own.email', '=', to)
    .whereRef('former.type', '=', 'own.type')
    .whereRef('former.slug', '=', 'own.slug')
    .whereRef('former.journey_slug', '=', 'own.journey_slug')
    .execute();
  await db
    .updateTable('bulk_enrolments')
    .set({ email: to, updated_at: sql<Date>`now()` })
    .where('email', '=', from)
    .where('granted_at', 'is not', null)
    .execute();
}
