import type { listResends, resendInvitations, searchInvitations } from '@officium/contract/cohorts';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, newId, type Db } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { getCohort, lockCohort } from './cohort.repository.ts';
import { noteAddressesRead, requireCohort, requireTaking } from './cohort.service.ts';
import { resendInvitationsJob } from './resend.jobs.ts';
import * as repository from './resend.repository.ts';
import { HOURS_BETWEEN, sendAgain } from './resending.service.ts';
import { hasUpload } from './upload.repository.ts';

type ResendView = ReplyOf<typeof resendInvitations>;

function toResend(row: repository.ResendRow): ResendView {
  return {
    id: row.id,
    uploadId: row.upload_id,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    total: row.total,
    done: row.done,
    sent: row.sent,
  };
}

/** Resends one invitation at once, or starts resending those of an upload or a cohort. */
export async function resend(
  ctx: Ctx,
  viewer: UserViewer,
  cohortId: string,
  { uploadId, invitationId }: InputOf<typeof resendInvitations>['body'],
  requestId: string,
): Promise<ResendView> {
  return await inTransaction(ctx.db, async (trx) => {
    // Locks first, so that a cohort runs one task at a time.
    await lockCohort(trx, cohortId);
    const cohort = await getCohort(trx, cohortId);
    if (!cohort) throw notFound();
    requireTaking({ isArchived: cohort.archivedAt !== null, isOver: cohort.isOver });
    const detail = { ...(uploadId ? { uploadId } : {}), ...(invitationId ? { invitationId } : {}) };
    const note = async () =>
      await recordAction(trx, viewer, { action: 'admin.resend-invitations', object: cohortId, detail, requestId });
    if (invitationId) {
      const { primaryPartner: partner, supportContact: support, invitationWords: words } = cohort;
      const letter = { cohortId, locale: viewer.locale, partner, support, words };
      const sent = await resendOne(ctx, trx, { cohortId, invitationId, letter });
      await note();
      return sent;
    }
    const running = await repository.getRunning(trx, cohortId);
    if (running) return toResend(running);
    if (uploadId && !(await hasUpload(trx, { cohortId, uploadId })))
      throw invalid('uploadId', 'This cohort has no such upload');
    const begun = await repository.insertResend(trx, { cohortId, uploadId: uploadId ?? null, locale: viewer.locale });
    await ctx.jobs.enqueue(trx, resendInvitationsJob, { resendId: begun.id });
    await note();
    return toResend(begun);
  });
}

async function resendOne(
  ctx: Ctx,
  db: Db,
  query: { cohortId: string; invitationId: string; letter: Parameters<typeof sendAgain>[2] },
): Promise<ResendView> {
  await repository.lockResending(db);
  const invitation = await repository.lockInvitation(db, { cohortId: query.cohortId, id: query.invitationId });
  if (!invitation) throw invalid('invitationId', 'This cohort has no such invitation');
  if ((await sendAgain(ctx, db, query.letter, [invitation])) === 0) throw new AppError('admin.invited_lately');
  const now = ctx.clock.now().toISOString();
  return { id: newId(), uploadId: null, createdAt: now, finishedAt: now, total: 1, done: 1, sent: 1 };
}

export async function listResendsOf(
  ctx: Ctx,
  cohortId: string,
  { limit }: InputOf<typeof listResends>['query'],
): Promise<ReplyOf<typeof listResends>> {
  await requireCohort(ctx.db, cohortId);
  return { resends: (await repository.findResends(ctx.db, cohortId, limit)).map(toResend) };
}

export async function searchInvitationsOf(
  ctx: Ctx,
  viewer: UserViewer,
  cohortId: string,
  { match = '', after, sort, limit }: InputOf<typeof searchInvitations>['query'],
): Promise<ReplyOf<typeof searchInvitations>> {
  await requireCohort(ctx.db, cohortId);
  const query = { cohortId, match, after, sort, limit: limit + 1, hours: HOURS_BETWEEN };
  const rows = await repository.findInvitationMails(ctx.db, query);
  await noteAddressesRead(ctx, viewer, cohortId);
  return {
    hasMore: rows.length > limit,
    invitations: rows.slice(0, limit).map((row) => ({
      id: row.id,
      email: row.email,
      name: row.name,
      createdAt: row.created_at.toISOString(),
      sentAt: row.sent_at.toISOString(),
      timesSentAgain: row.times_sent_again,
      canSendAgain: row.is_due,
    })),
  };
}
