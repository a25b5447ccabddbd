import type { searchCohortMembers } from '@officium/contract/cohort-lifecycle';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { invalid, notFound } from '#server/errors.ts';
import { noteAddressesRead } from './cohort.service.ts';
import { readToken, writeToken } from './continuation-token.policy.ts';
import { findSortedMembers } from './member-list.repository.ts';
import { getTokenKey } from './member.repository.ts';

export async function listMembersOf(
  ctx: Ctx,
  viewer: UserViewer,
  cohortId: string,
  { sort, continuationToken, limit }: InputOf<typeof searchCohortMembers>['query'],
): Promise<ReplyOf<typeof searchCohortMembers>> {
  const key = await getTokenKey(ctx.db, cohortId);
  if (!key) throw notFound();
  const after = continuationToken === undefined ? undefined : readToken(key, continuationToken);
  if (continuationToken !== undefined && !after)
    throw invalid('continuationToken', 'The continuation token is not valid');
  const rows = await findSortedMembers(ctx.db, { cohortId, sort, after, limit: limit + 1 });
  await noteAddressesRead(ctx, viewer, cohortId);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    members: page.map((row) => ({
      id: row.id,
      name: row.name,
      email: row.email,
      isInactive: row.is_inactive,
      joinedAt: row.joined_at.toISOString(),
      uploadId: row.upload_id,
    })),
    ...(last && rows.length > limit
      ? { continuationToken: writeToken(key, { joinedMicros: last.joined_micros, userId: last.id }) }
      : {}),
  };
}
