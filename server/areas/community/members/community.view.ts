import type { CommunityPage, CommunitySummary } from '@officium/contract/community';
import type { z } from 'zod';
import { BASIC, FULL_CONTROL, LEVELS, REDUCED } from '#server/access/can.ts';
import type { CommunityAccess } from './access.service.ts';
import type { CommunityPageRow, CommunityRow } from './community.repository.ts';

/** Joining has an effect: the viewer is neither in nor already waiting. */
function canJoin({ join, membership }: CommunityAccess): boolean {
  return join === 'yes' ? membership?.status !== 'active' : join === 'request' && membership === null;
}

function toCommon(row: CommunityRow, access: CommunityAccess) {
  const { slug, title, description, locale, privacy, categories, memberCount, activityCount, joinedAt } = row;
  const { membership } = access;
  return {
    slug,
    title,
    description,
    locale,
    privacy,
    categories,
    memberCount,
    activityCount,
    ...(membership && joinedAt
      ? { membership: { role: membership.role, status: membership.status, joinedAt: joinedAt.toISOString() } }
      : {}),
  };
}

export function toCommunitySummary(row: CommunityRow, access: CommunityAccess): z.output<typeof CommunitySummary> {
  return { ...toCommon(row, access), canJoin: canJoin(access) };
}

export function toCommunityPage(row: CommunityPageRow, access: CommunityAccess): z.output<typeof CommunityPage> {
  const { level } = access;
  return {
    ...toCommon(row, access),
    owners: row.owners,
    moderators: row.moderators,
    permissions: {
      level: LEVELS[level],
      canPost: level >= BASIC,
      canReply: level >= BASIC,
      canReact: level >= REDUCED,
      canModerate: level >= FULL_CONTROL,
      canJoin: canJoin(access),
    },
    ...(row.waiting && level >= FULL_CONTROL ? { waiting: row.waiting } : {}),
  };
}
