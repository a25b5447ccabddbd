import {
  APPEAL_DAYS,
  type Decision,
  type listAppeals as contract,
  type listMyReports,
} from '@officium/contract/decisions';
import type { ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { openSlugs } from '#server/access/can.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import { FULL_CONTROL, NOWHERE, openToModerate } from '#server/areas/community/members/access.service.ts';
import { readableJourneys } from '#server/areas/learner/enrolment.service.ts';
import { rightsInCourse } from '#server/areas/community/discussions/lesson-discussion.service.ts';
import type { Rights } from '#server/areas/community/posts/activity.policy.ts';
import type { LocalViewer } from '#server/areas/community/viewer.sql.ts';
import { visibleCommunities } from '#server/areas/community/members/visible-communities.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { canReview, isOtherModerator } from './decision.policy.ts';
import * as repository from './decision.repository.ts';
import { toDecision, toSummary } from './decision.view.ts';
import { notifyOfAppeal } from './notice.repository.ts';
import { openModerated, orNotFound } from './place.service.ts';
import { restoreRemoved } from './restoration.service.ts';

type UserReader = LocalViewer<UserViewer>;
type Page = { limit: number; offset: number };

export async function listMyDecisions(ctx: Ctx, reader: UserReader, page: Page) {
  const { rows, total } = await repository.findOwn(ctx.db, reader, {
    ...page,
    authorId: reader.viewer.id,
    open: openSlugs(reader.viewer),
  });
  return { decisions: rows.map(toSummary), total };
}

export async function listOwnReports(ctx: Ctx, reader: UserReader, page: Page): Promise<ReplyOf<typeof listMyReports>> {
  const { communities } = await visibleCommunities(ctx.db, reader.viewer);
  const journeys = await readableJourneys(ctx, reader.viewer);
  const { rows, total } = await repository.findOwnReports(ctx.db, reader, { ...page, communities, journeys });
  const reports = rows.map(({ createdAt, decidedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }));
  return { reports, total };
}

/**
 * The viewer's access in the decision's place. Administrators, owners and contacts of the course moderate lesson
 * discussions, and only administrators moderate profiles. A missing decision also loads a community, so that it costs
 * the same queries as a hidden one.
 */
async function accessTo(db: Db, viewer: UserViewer, row: repository.DecisionRow | undefined): Promise<Rights> {
  if (row && !row.community && isAdministrator(viewer)) return { level: FULL_CONTROL, isTop: true, isShutOut: false };
  if (row?.lesson && row.courseId !== null) {
    const rights = await rightsInCourse(db, viewer, { id: row.courseId, slug: row.lesson.course });
    if (rights.level >= FULL_CONTROL) return rights;
  }
  return await openToModerate(db, viewer, row?.community?.slug ?? NOWHERE);
}

/** A decision for its author or its reviewers. Throws 404 for all other viewers. */
async function openDecision(db: Db, reader: UserReader, id: string) {
  const { viewer } = reader;
  const row = await repository.getDecision(db, reader, { id, appealDays: APPEAL_DAYS, open: openSlugs(viewer) });
  if (row?.authorId === viewer.id) return { row, isAuthor: true, canDecide: false };
  const access = await orNotFound(accessTo(db, viewer, row));
  if (!row) throw notFound();
  const canDecide = row.appeal === 'waiting' && canReview(viewer.id, access, row) && isOtherModerator(viewer.id, row);
  return { row, access, isAuthor: false, canDecide };
}

export async function readDecision(ctx: Ctx, reader: UserReader, id: string): Promise<Decision> {
  const { row, ...rights } = await openDecision(ctx.db, reader, id);
  return toDecision(row, rights);
}

export async function appealDecision(
  ctx: Ctx,
  reader: UserReader,
  { id, text }: { id: string; text: string },
): Promise<Decision> {
  const { row, isAuthor } = await openDecision(ctx.db, reader, id);
  if (!isAuthor) throw new AppError('auth.forbidden');
  const { communityId, courseId, authorId, decidedBy } = row;
  await inTransaction(ctx.db, async (trx) => {
    if (!(await repository.putAppeal(trx, { id, authorId, text, appealDays: APPEAL_DAYS })))
      throw new AppError('moderation.appeal_closed');
    const place = { communityId, courseId };
    await notifyOfAppeal(trx, { objectId: id, activityId: null, ...place, authorId, exceptId: decidedBy });
  });
  return await readDecision(ctx, reader, id);
}

/** Upholds or reverses another moderator's decision. A reversal restores the content when its context still exists. */
export async function decideAppeal(
  ctx: Ctx,
  reader: UserReader,
  input: { id: string; outcome: 'upheld' | 'reversed'; note?: string },
): Promise<Decision> {
  const { viewer } = reader;
  const { id, outcome, note } = input;
  const { row, access } = await openDecision(ctx.db, reader, id);
  if (!access || !canReview(viewer.id, access, row)) throw new AppError('auth.forbidden');
  if (!isOtherModerator(viewer.id, row)) throw new AppError('moderation.same_person');
  return await inTransaction(ctx.db, async (trx) => {
    if (!(await repository.lockAppeal(trx, id))) throw new AppError('moderation.outcome_known');
    // Checked again: the viewer may have lost the right while waiting for the lock.
    if (!canReview(viewer.id, await accessTo(trx, viewer, row), row)) throw new AppError('auth.forbidden');
    const isRestored = outcome === 'reversed' ? await restoreRemoved({ ...ctx, db: trx }, id) : null;
    const put = { id, outcome, note: note || null, decidedBy: viewer.id, isRestored };
    const { authorId, activityId } = await repository.putOutcome(trx, put);
    await notify(trx, [{ userId: authorId, event: 'moderation', objectId: id, activityId }]);
    await recordAction(trx, viewer, {
      action: outcome === 'reversed' ? 'moderation.reverse-decision' : 'moderation.uphold-decision',
      object: id,
      detail: {
        communityId: row.communityId ?? undefined,
        courseId: row.courseId ?? undefined,
        reason: row.reason,
        isRestored,
      },
    });
    return await readDecision({ ...ctx, db: trx }, reader, id);
  });
}

export async function listAppeals(
  ctx: Ctx,
  reader: UserReader,
  query: Page & { community?: string; course?: string; articles?: boolean },
): Promise<ReplyOf<typeof contract>> {
  const { viewer } = reader;
  const { key: place } = await openModerated(ctx.db, viewer, query);
  const { rows, total } = await repository.findAppeals(ctx.db, reader, {
    limit: query.limit,
    offset: query.offset,
    place,
    viewerId: viewer.id,
  });
  const appeals = rows.map((row) => ({
    ...toSummary(row),
    appealedAt: row.appealedAt.toISOString(),
    canDecide: row.decidedBy !== viewer.id,
  }));
  return { appeals, total };
}
