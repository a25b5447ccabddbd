import type { UserCommunity } from '@officium/contract/people-records';
import type { z } from 'zod';
import type { UserMembershipRow } from './membership.repository.ts';

export function toMembership(row: UserMembershipRow): z.output<typeof UserCommunity> {
  return {
    id: row.id,
    userId: row.user_id,
    communitySlug: row.slug,
    creator: row.creator,
    role: row.role,
    status: row.status,
    contentfulMetadata: row.metadata,
    createdAt: row.joined_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
