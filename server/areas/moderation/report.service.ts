import type { ReportedThing, ReportReason } from '@officium/contract/moderation';
import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { FULL_CONTROL, openWithLevel, REDUCED } from '#server/areas/community/members/access.service.ts';
import { canDelete } from '#server/areas/community/posts/activity.policy.ts';
import { deleteActivity } from '#server/areas/community/posts/activity.service.ts';
import {
  deleteReaction,
  discussionOf,
  type OpenDiscussion,
} from '#server/areas/community/reactions/reaction.service.ts';
import { ruleOf } from '#server/areas/community/members/settings.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { closeCase } from './case.repository.ts';
import { explainRemoval } from './decision.repository.ts';
import * as repository from './report.repository.ts';
import { toReport, toReportedThing } from './report.view.ts';

type Thing = { community: string; kind: repository.Kind; id: string };

/** Tells those who moderate a community of a post, a poll or a reply. */
export async function reportContent(
  ctx: Ctx,
  viewer: UserViewer,
  input: Thing & { reason: ReportReason; note?: string; rule?: number },
): Promise<ReportedThing['reports'][number]> {
  const { community: slug, kind, id, reason, note, rule } = input;
  const access = await openWithLevel(ctx.db, viewer, slug, REDUCED);
  const key = { communityId: access.community.id, kind, id };
  const thing = await repository.getThing(ctx.db, key);
  if (!thing) throw notFound();
  if (thing.authorId === viewer.id) throw new AppError('auth.forbidden');
  if (rule !== undefined) await ruleOf(ctx.db, access.community.id, rule);
  const { activityId } = thing;
  const report = { ...key, activityId, userId: viewer.id, reason, note: note || null, rule };
  return toReport(await repository.putReport(ctx.db, report));
}

export async function listReports(
  ctx: Ctx,
  viewer: UserViewer,
  query: { community: string; limit: number; offset: number },
): Promise<{ things: ReportedThing[]; total: number }> {
  const { community: slug, ...page } = query;
  const access = await openWithLevel(ctx.db, viewer, slug, FULL_CONTROL);
  const found = await repository.findReported(ctx.db, viewer, { ...page, communityId: access.community.id });
  return {
    things: found.rows.map((row) => toReportedThing(row, canDelete(viewer.id, access, row))),
    total: found.total,
  };
}

type Decision = Thing &
  ({ decision: 'dismiss'; note?: string } | { decision: 'remove'; reason: ReportReason; note?: string; rule?: number });

/** Keeps what was reported or removes it; its reports end in the same transaction. */
export async function decideReports(ctx: Ctx, viewer: UserViewer, input: Decision): Promise<{ decided: number }> {
  const { community: slug, kind, id, note } = input;
  const access = await openWithLevel(ctx.db, viewer, slug, FULL_CONTROL);
  const { id: communityId } = access.community;
  const open: OpenDiscussion = async (db) => discussionOf(await openWithLevel(db, viewer, slug, FULL_CONTROL));
  return await inTransaction(ctx.db, async (trx) => {
    const thing = await repository.getThing(trx, { communityId, kind, id });
    if (!thing) throw notFound();
    if (thing.authorId === viewer.id) throw new AppError('auth.forbidden');
    if (!(await closeCase(trx, { objectId: id, userId: viewer.id }))) throw new AppError('moderation.taken');
    // Whoever lost the right while waiting decides nothing.
    await openWithLevel(trx, viewer, slug, FULL_CONTROL);
    const ended = { communityId, id, decidedBy: viewer.id, note: note || null };
    if (input.decision === 'dismiss') {
      const decided = await repository.endReports(trx, { ...ended, status: 'dismissed', reason: null });
      if (decided === 0) throw notFound();
      await recordAction(trx, viewer, {
        action: 'moderation.dismiss-reports',
        object: id,
        detail: { communityId, decided },
      });
      return { decided };
    }
    const { reason, rule: number } = input;
    const rule = number === undefined ? null : { number, html: await ruleOf(trx, communityId, number) };
    // Before the thing goes, for that ends what reports there are without a reason.
    const decided = await repository.endReports(trx, { ...ended, status: 'removed', reason });
    const inTrx = { ...ctx, db: trx };
    if (kind === 'activity') await deleteActivity(inTrx, viewer, { slug, id }, reason);
    else await deleteReaction(inTrx, viewer, open, id, reason);
    const why = { objectId: id, decidedBy: viewer.id, reason, note: note || null, rule, byReport: decided > 0 };
    await explainRemoval(trx, why);
    return { decided };
  });
}
