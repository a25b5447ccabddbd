import type { ReplyOf } from '@officium/contract/endpoint';
import { CLAIM_MINUTES, type listCases as contract } from '@officium/contract/moderation-office';
import type { UserViewer } from '#server/access/viewer.ts';
import { FULL_CONTROL, openWithLevel } from '#server/areas/community/members/access.service.ts';
import type { Reader } from '#server/areas/community/reader.sql.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import * as repository from './case.repository.ts';
import { getThing, type Kind } from './report.repository.ts';

/** Takes a case, or gives it back; taking one's own again makes it last longer. */
export async function claimCase(
  ctx: Ctx,
  viewer: UserViewer,
  input: { community: string; kind: Kind; id: string; take: boolean },
): Promise<{ until: string | null }> {
  const access = await openWithLevel(ctx.db, viewer, input.community, FULL_CONTROL);
  const { kind, id } = input;
  const thing = await getThing(ctx.db, { communityId: access.community.id, kind, id });
  if (!thing) throw notFound();
  if (thing.authorId === viewer.id) throw new AppError('auth.forbidden');
  const claim = { objectId: id, userId: viewer.id };
  if (!input.take) {
    await repository.giveBackCase(ctx.db, claim);
    return { until: null };
  }
  const until = await repository.takeCase(ctx.db, { ...claim, minutes: CLAIM_MINUTES });
  if (!until) throw new AppError('moderation.taken');
  return { until: until.toISOString() };
}

export async function listCases(
  ctx: Ctx,
  reader: Reader<UserViewer>,
  query: repository.CaseQuery,
): Promise<ReplyOf<typeof contract>> {
  const { rows, total } = await repository.findCases(ctx.db, reader, query);
  return { cases: rows.map((row) => ({ ...row, since: row.since.toISOString() })), total };
}
