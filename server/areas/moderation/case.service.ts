import type { ReplyOf } from '@officium/contract/endpoint';
import { CLAIM_MINUTES, type listCases as contract } from '@officium/contract/moderation-office';
import type { UserViewer } from '#server/access/viewer.ts';
import { FULL_CONTROL } from '#server/access/can.ts';
import { placesWith } from '#server/access/roles.ts';
import type { LocalViewer } from '#server/areas/community/viewer.sql.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import * as repository from './case.repository.ts';
import { type ContentRef, openPlaceOf } from './place.service.ts';
import { getContent } from './report.repository.ts';

/** Claims or releases a case. Claiming one's own case again extends the claim. */
export async function claimCase(
  ctx: Ctx,
  viewer: UserViewer,
  input: ContentRef & { take: boolean },
): Promise<{ until: string | null }> {
  const { communityId } = await openPlaceOf(ctx.db, viewer, input, FULL_CONTROL);
  const { kind, id } = input;
  const content = await getContent(ctx.db, { communityId, kind, id });
  if (!content) throw notFound();
  if (content.authorId === viewer.id) throw new AppError('auth.forbidden');
  const claim = { objectId: id, userId: viewer.id };
  if (!input.take) {
    await repository.deleteClaim(ctx.db, claim);
    return { until: null };
  }
  const until = await repository.putClaim(ctx.db, { ...claim, minutes: CLAIM_MINUTES });
  if (!until) throw new AppError('moderation.taken');
  return { until: until.toISOString() };
}

export async function listCases(
  ctx: Ctx,
  reader: LocalViewer<UserViewer>,
  query: Omit<repository.CaseQuery, 'places'>,
): Promise<ReplyOf<typeof contract>> {
  const places = placesWith(reader.viewer, 'read-cases');
  const { rows, total } = await repository.findCases(ctx.db, reader, { ...query, places });
  return { cases: rows.map((row) => ({ ...row, since: row.since.toISOString() })), total };
}
