import type { Locale } from '@officium/contract/common';
import type { CommunityPage, CommunitySummary } from '@officium/contract/community';
import type { z } from 'zod';
import { BASIC, FULL_CONTROL, LEVELS, REDUCED } from '#server/access/can.ts';
import { assetUrl } from '#server/areas/catalogue/stored-asset.view.ts';
import { pickText } from '#server/text/localised.ts';
import type { CommunityAccess } from './access.service.ts';
import type { CommunityPageRow, CommunityRow } from './community.repository.ts';

/** True when joining has an effect: the viewer is neither a member nor waiting. */
function canJoin({ join, membership }: CommunityAccess): boolean {
  return join === 'yes' ? membership?.status !== 'active' : join === 'request' && membership === null;
}

function toCommon(row: CommunityRow, access: CommunityAccess, language: Locale) {
  const { slug, title, description, locale, privacy, categories, memberCount, activityCount, joinedAt } = row;
  const { membership } = access;
  const cover =
    row.coverKey === null ? null : { url: assetUrl(row.coverKey), alt: pickText(row.coverAlt, language).text };
  return {
    slug,
    title,
    description,
    locale,
    privacy,
    cover,
    categories,
    memberCount,
    activityCount,
    ...(membership && joinedAt
      ? { membership: { role: membership.role, status: membership.status, joinedAt: joinedAt.toISOString() } }
      : {}),
  };
}

export function toCommunitySummary(
  row: CommunityRow,
  access: CommunityAccess,
  language: Locale,
): z.output<typeof CommunitySummary> {
  return { ...toCommon(row, access, language), canJoin: canJoin(access) };
}

export function toCommunityPage(
  row: CommunityPageRow,
  access: CommunityAccess,
  language: Locale,
): z.output<typeof CommunityPage> {
  const { level, isByRole } = access;
  const canManage = level >= FULL_CONTROL && !isByRole;
  return {
    ...toCommon(row, access, language),
    owners: row.owners,
    moderators: row.moderators,
    permissions: {
      level: LEVELS[level],
      canPost: level >= BASIC,
      canReply: level >= BASIC,
      canReact: level >= REDUCED,
      canModerate: level >= FULL_CONTROL,
      canManage,
      canJoin: canJoin(access),
    },
    ...(row.waiting && canManage ? { waiting: row.waiting } : {}),
  };
}
