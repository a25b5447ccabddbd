import type { ReportedThing, ReportReason } from '@officium/contract/moderation';
import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { FULL_CONTROL } from '#server/access/can.ts';
import { removeArticle } from '#server/areas/articles/article.service.ts';
import { removeLessonActivity } from '#server/areas/community/discussions/lesson-discussion.service.ts';
import { canDelete } from '#server/areas/community/posts/activity.policy.ts';
import { deleteActivity } from '#server/areas/community/posts/activity.service.ts';
import { notifyOfRemoval } from '#server/areas/community/posts/removal.service.ts';
import { hideShares } from '#server/areas/community/posts/share.service.ts';
import { hydrate } from '#server/areas/community/reading/hydrate.service.ts';
import { peopleOf, toAuthored } from '#server/areas/community/reading/person.view.ts';
import { deleteReaction } from '#server/areas/community/reactions/reaction.service.ts';
import { ruleOf } from '#server/areas/community/members/settings.service.ts';
import type { LocalViewer } from '#server/areas/community/viewer.sql.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { type Notice, notify } from '#server/notify/notify.ts';
import { closeClaim } from './case.repository.ts';
import { explainRemoval } from './decision.repository.ts';
import { notifyOfReport } from './notice.repository.ts';
import { type ContentPlace, type ContentRef, openModerated, openPlaceOf, openToReport } from './place.service.ts';
import * as repository from './report.repository.ts';
import { toReport, toReportedThing } from './report.view.ts';

/** Reports a post, poll, lesson discussion, reply or article to the moderators of its place. */
export async function reportContent(
  ctx: Ctx,
  viewer: UserViewer,
  input: ContentRef & { reason: ReportReason; note?: string; rule?: number },
): Promise<ReportedThing['reports'][number]> {
  const { kind, id, reason, note, rule } = input;
  const place = await openToReport(ctx.db, viewer, input);
  const key = { communityId: place.communityId, kind, id };
  const content = await repository.getContent(ctx.db, key);
  if (!content) throw notFound();
  if (content.authorId === viewer.id) throw new AppError('auth.forbidden');
  if (rule !== undefined) await ruleIn(ctx.db, place, rule);
  const { activityId } = content;
  const report = { ...key, activityId, userId: viewer.id, reason, note: note || null, rule };
  return await inTransaction(ctx.db, async (trx) => {
    const { communityId, courseId } = place;
    const { authorId } = content;
    await notifyOfReport(trx, { objectId: id, activityId, communityId, courseId, authorId, exceptId: viewer.id });
    return toReport(await repository.putReport(trx, report));
  });
}

async function ruleIn(
  db: Db,
  { communityId }: ContentPlace,
  number: number,
): Promise<{ number: number; html: string }> {
  if (communityId === null) throw invalid('rule', 'Only communities have rules');
  return { number, html: await ruleOf(db, communityId, number) };
}

export async function listReports(
  ctx: Ctx,
  reader: LocalViewer<UserViewer>,
  query: { community?: string; course?: string; articles?: boolean; limit: number; offset: number },
): Promise<{ things: ReportedThing[]; total: number }> {
  const { limit, offset } = query;
  const { key: place, ...rights } = await openModerated(ctx.db, reader.viewer, query);
  const found = await repository.findReported(ctx.db, reader, { place, limit, offset });
  const { people } = await hydrate(ctx, peopleOf(found.rows));
  const { viewer } = reader;
  return {
    things: found.rows.map((row) =>
      toReportedThing(row, toAuthored(viewer, row, people), canDelete(viewer.id, rights, row)),
    ),
    total: found.total,
  };
}

const toReportOutcomes = (closed: repository.ClosedReport[]): Notice[] =>
  closed.map(({ id, userId, activityId }) => ({ userId, event: 'report_outcome', objectId: id, activityId }));

type Decision = ContentRef &
  ({ decision: 'dismiss'; note?: string } | { decision: 'remove'; reason: ReportReason; note?: string; rule?: number });

/** Keeps or removes reported content and closes its reports in the same transaction. */
export async function decideReports(ctx: Ctx, viewer: UserViewer, input: Decision): Promise<{ decided: number }> {
  const { kind, id, note } = input;
  const open = async (db: Db) => await openPlaceOf(db, viewer, input, FULL_CONTROL);
  const { communityId, courseId } = await open(ctx.db);
  return await inTransaction(ctx.db, async (trx) => {
    const content = await repository.getContent(trx, { communityId, kind, id });
    if (!content) throw notFound();
    if (content.authorId === viewer.id) throw new AppError('auth.forbidden');
    if (!(await closeClaim(trx, { objectId: id, userId: viewer.id }))) throw new AppError('moderation.taken');
    // Checked again: the viewer may have lost the right while waiting for the lock.
    const place = await open(trx);
    const ended = { id, decidedBy: viewer.id, note: note || null };
    if (input.decision === 'dismiss') {
      const closed = await repository.endReports(trx, { ...ended, status: 'dismissed', reason: null });
      const decided = closed.length;
      if (decided === 0) throw notFound();
      await notify(trx, toReportOutcomes(closed));
      await recordAction(trx, viewer, {
        action: 'moderation.dismiss-reports',
        object: id,
        detail: { communityId: communityId ?? undefined, courseId: courseId ?? undefined, decided },
      });
      return { decided };
    }
    const { reason, rule: number } = input;
    const rule = number === undefined ? null : await ruleIn(trx, place, number);
    // Before the removal, whose trigger would close the reports without a reason.
    const { length: decided } = await repository.endReports(trx, { ...ended, status: 'removed', reason });
    await remove({ ...ctx, db: trx }, viewer, input, reason);
    const why = { objectId: id, decidedBy: viewer.id, reason, note: note || null, rule, byReport: decided > 0 };
    await explainRemoval(trx, why);
    return { decided };
  });
}

/** Removes content with a reason. `ctx.db` is a transaction. */
async function remove(ctx: Ctx, viewer: UserViewer, ref: ContentRef, reason: ReportReason): Promise<void> {
  const { community: slug, kind, id } = ref;
  if (kind === 'article') {
    await removeArticle(ctx, viewer, { id, reason });
    await hideShares(ctx.db, id);
    return await notifyOfRemoval(ctx.db, id);
  }
  const open = async (db: Db) => {
    const { discussion } = await openPlaceOf(db, viewer, ref, FULL_CONTROL);
    if (!discussion) throw notFound(); // only articles have none
    return discussion;
  };
  if (kind === 'reaction') return await deleteReaction(ctx, viewer, open, id, reason);
  if (slug !== undefined) return await deleteActivity(ctx, viewer, { slug, id }, reason);
  await removeLessonActivity(ctx, viewer, { open, id, reason });
}
