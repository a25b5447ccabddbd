import type { ReplyOf } from '@officium/contract/endpoint';
import type { listModerationLog } from '@officium/contract/moderation-office';
import type { UserViewer } from '#server/access/viewer.ts';
import { openToModerate } from '#server/areas/community/members/access.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { findLogEntries } from './log.repository.ts';

export async function listLog(
  ctx: Ctx,
  viewer: UserViewer,
  query: { community: string; limit: number; offset: number },
): Promise<ReplyOf<typeof listModerationLog>> {
  const { community } = await openToModerate(ctx.db, viewer, query.community);
  const { limit, offset } = query;
  const rows = await findLogEntries(ctx.db, { communityId: community.id, limit: limit + 1, offset });
  const acts = rows.slice(0, limit).map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }));
  return { acts, more: rows.length > limit };
}
