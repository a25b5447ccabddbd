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
import { FULL_CONTROL, NOWHERE, openWithLevel } from '#server/areas/community/members/access.service.ts';
import type { Standing } from '#server/areas/community/posts/activity.policy.ts';
import type { Reader } from '#server/areas/community/reader.sql.ts';
import { openCommunities } from '#server/areas/community/members/sight.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { canReview, isAnother } from './decision.policy.ts';
import * as repository from './decision.repository.ts';
import { toDecision, toSummary } from './decision.view.ts';

type UserReader = Reader<UserViewer>;
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
  const { communities } = await openCommunities(ctx.db, reader.viewer);
  const { rows, total } = await repository.findOwnReports(ctx.db, reader, { ...page, communities });
  const reports = rows.map(({ createdAt, decidedAt, ...row }) => ({
    ...row,
    createdAt: createdAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  }));
  return { reports, total };
}

/**
 * The viewer's level in the decision's community. Only administrators moderate content outside communities. A missing
 * decision also loads a community, so that it costs the same queries as a hidden one.
 */
async function standingAt(db: Db, viewer: UserViewer, row: repository.DecisionRow | undefined): Promise<Standing> {
  if (row && !row.community && isAdministrator(viewer)) return { level: FULL_CONTROL, isTop: true };
  return await openWithLevel(db, viewer, row?.community?.slug ?? NOWHERE, FULL_CONTROL);
}

/** A decision for its author or for who may review it; 404 for everybody else. */
async function openDecision(db: Db, reader: UserReader, id: string) {
  const { viewer } = reader;
  const row = await repository.getDecision(db, reader, { id, appealDays: APPEAL_DAYS, open: openSlugs(viewer) });
  if (row?.authorId === viewer.id) return { row, isAuthor: true, canDecide: false };
  const standing = await standingAt(db, viewer, row).catch((error: unknown) => {
    throw error instanceof AppError && error.status < 500 ? notFound() : error;
  });
  if (!row) throw notFound();
  const canDecide = row.appeal === 'waiting' && canReview(viewer.id, standing, row) && isAnother(viewer.id, row);
  return { row, standing, isAuthor: false, canDecide };
}

export async function readDecision(ctx: Ctx, reader: UserReader, id: string): Promise<Decision> {
  const { row, ...how } = await openDecision(ctx.db, reader, id);
  return toDecision(row, how);
}

export async function appealDecision(
  ctx: Ctx,
  reader: UserReader,
  { id, text }: { id: string; text: string },
): Promise<Decision> {
  const { isAuthor } = await openDecision(ctx.db, reader, id);
  if (!isAuthor) throw new AppError('auth.forbidden');
  const appeal = { id, authorId: reader.viewer.id, text, appealDays: APPEAL_DAYS };
  if (!(await repository.putAppeal(ctx.db, appeal))) throw new AppError('moderation.appeal_closed');
  return await readDecision(ctx, reader, id);
}

/** Upholds or reverses what somebody else decided; a reversal puts the thing back where it still can. */
export async function decideAppeal(
  ctx: Ctx,
  reader: UserReader,
  input: { id: string; outcome: 'upheld' | 'reversed'; note?: string },
): Promise<Decision> {
  const { viewer } = reader;
  const { id, outcome, note } = input;
  const { row, standing } = await openDecision(ctx.db, reader, id);
  if (!standing || !canReview(viewer.id, standing, row)) throw new AppError('auth.forbidden');
  if (!isAnother(viewer.id, row)) throw new AppError('moderation.same_person');
  return await inTransaction(ctx.db, async (trx) => {
    if (!(await repository.lockAppeal(trx, id))) throw new AppError('moderation.outcome_known');
    // Whoever lost the right while waiting decides nothing.
    if (!canReview(viewer.id, await standingAt(trx, viewer, row), row)) throw new AppError('auth.forbidden');
    const isRestored = outcome === 'reversed' ? await repository.restore(trx, id) : null;
    await repository.putOutcome(trx, { id, outcome, note: note || null, decidedBy: viewer.id, isRestored });
    await recordAction(trx, viewer, {
      action: outcome === 'reversed' ? 'moderation.reverse-decision' : 'moderation.uphold-decision',
      object: id,
      detail: { communityId: row.communityId ?? undefined, reason: row.reason, isRestored },
    });
    return await readDecision({ ...ctx, db: trx }, reader, id);
  });
}

export async function listAppeals(
  ctx: Ctx,
  reader: UserReader,
  query: Page & { community: string },
): Promise<ReplyOf<typeof contract>> {
  const { viewer } = reader;
  const { community } = await openWithLevel(ctx.db, viewer, query.community, FULL_CONTROL);
  const asked = { limit: query.limit, offset: query.offset, communityId: community.id, viewerId: viewer.id };
  const { rows, total } = await repository.findAppeals(ctx.db, reader, asked);
  const appeals = rows.map((row) => ({
    ...toSummary(row),
    appealedAt: row.appealedAt.toISOString(),
    canDecide: row.decidedBy !== viewer.id,
  }));
  return { appeals, total };
}
