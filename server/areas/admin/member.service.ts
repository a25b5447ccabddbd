import type { listCohortInvitations, listCohortUsers } from '@officium/contract/admin';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { endGrantedPlaces } from '#server/areas/learner/grant.service.ts';
import { cancelMails } from '#server/mail/outbox.ts';
import { getCohort } from './cohort.repository.ts';
import { noteAddressesRead, requireCohort, requireTakingCohort } from './cohort.service.ts';
import { readToken, writeToken } from './continuation-token.policy.ts';
import {
  countMembers,
  deleteInvitation,
  deleteMember,
  findInvitations,
  findMembersAfter,
  getTokenKey,
  lockPlacing,
} from './member.repository.ts';
import { findCohortProductIds } from './product.repository.ts';
import { placePeople } from './placing.service.ts';
import { hasUpload } from './upload.repository.ts';

/** Adds the owner of an address as a member, or invites them. Idempotent. */
export async function addPerson(
  ctx: Ctx,
  viewer: UserViewer,
  cohortId: string,
  { email, uploadId = null }: { email: string; uploadId?: string | null | undefined },
  requestId: string,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await lockPlacing(trx);
    await requireTakingCohort(trx, cohortId);
    const cohort = await getCohort(trx, cohortId);
    if (!cohort) throw notFound();
    if (uploadId !== null && !(await hasUpload(trx, { cohortId, uploadId })))
      throw invalid('uploadId', 'This cohort has no such upload');
    const inviting = { partner: cohort.primaryPartner, support: cohort.supportContact, words: cohort.invitationWords };
    const placing = { cohortId, uploadId, byHand: true, locale: viewer.locale, ...inviting };
    const [placed] = await placePeople(ctx, trx, placing, [email]);
    if (placed?.outcome === 'invalid') throw new AppError('admin.inactive_account');
    await recordAction(trx, viewer, {
      action: 'admin.add-cohort-user',
      object: cohortId,
      detail: { outcome: placed?.outcome },
      requestId,
    });
  });
}

/** Removes a member and ends enrolments that only this cohort granted. */
export async function removeMember(
  ctx: Ctx,
  viewer: UserViewer,
  { cohortId, userId }: { cohortId: string; userId: string },
  requestId: string,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await requireCohort(trx, cohortId);
    if (!(await deleteMember(trx, { cohortId, userId }))) throw notFound();
    const entryIds = await findCohortProductIds(trx, cohortId);
    const places = await endGrantedPlaces(trx, { cohortId, userIds: [userId], entryIds });
    const detail = { userId, places };
    await recordAction(trx, viewer, { action: 'admin.remove-cohort-member', object: cohortId, detail, requestId });
  });
}

export async function withdrawInvitationOf(
  ctx: Ctx,
  viewer: UserViewer,
  { cohortId, id }: { cohortId: string; id: string },
  requestId: string,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await requireCohort(trx, cohortId);
    if (!(await deleteInvitation(trx, { cohortId, id }))) throw notFound();
    await cancelMails(trx, [id]);
    const detail = { invitationId: id };
    await recordAction(trx, viewer, { action: 'admin.withdraw-invitation', object: cohortId, detail, requestId });
  });
}

export async function listUsersOf(
  ctx: Ctx,
  viewer: UserViewer,
  cohortId: string,
  { count, continuationToken, pageSize }: InputOf<typeof listCohortUsers>['query'],
): Promise<ReplyOf<typeof listCohortUsers>> {
  const key = await getTokenKey(ctx.db, cohortId);
  if (!key) throw notFound();
  if (count) return { total: await countMembers(ctx.db, cohortId) };
  const after = continuationToken === undefined ? undefined : readToken(key, continuationToken);
  if (continuationToken !== undefined && !after)
    throw invalid('continuationToken', 'The continuation token is not valid');
  const rows = await findMembersAfter(ctx.db, { cohortId, after, limit: pageSize + 1 });
  await noteAddressesRead(ctx, viewer, cohortId);
  const page = rows.slice(0, pageSize);
  const last = page.at(-1);
  return {
    users: page.map((row) => ({
      id: row.id,
      email: row.email,
      name: row.name,
      joinedAt: row.joined_at.toISOString(),
      ...(row.upload_id === null ? {} : { uploadId: row.upload_id }),
    })),
    ...(last && rows.length > pageSize
      ? { continuationToken: writeToken(key, { joinedMicros: last.joined_micros, userId: last.id }) }
      : {}),
  };
}

export async function listInvitationsOf(
  ctx: Ctx,
  viewer: UserViewer,
  cohortId: string,
  page: InputOf<typeof listCohortInvitations>['query'],
): Promise<ReplyOf<typeof listCohortInvitations>> {
  await requireCohort(ctx.db, cohortId);
  const { rows, total } = await findInvitations(ctx.db, { cohortId, ...page });
  await noteAddressesRead(ctx, viewer, cohortId);
  return {
    users: rows.map(({ created_at, ...row }) => ({ ...row, createdAt: created_at.toISOString() })),
    total,
  };
}
