import type { Profile } from '@officium/contract/account';
import type { Locale } from '@officium/contract/common';
import { chainOf } from '@officium/i18n/locales';
import type { z } from 'zod';
import { communityVisibility, type CommunityPrivacy, isShutOut, type Level, type Scope } from '#server/access/can.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';

export type ProfileRow = {
  id: string;
  name: string;
  job_title: string | null;
  organization: string | null;
  location: { id: string; en: string; code: string } | null;
  onboarding_state: string | null;
  biography: string | null;
  bio_link: string | null;
  image_full: string | null;
  image_thumbnail: string | null;
  badges: Record<string, Record<string, string[]>>;
  visibility: 'default' | 'public' | 'private';
  joined_at: Date;
  is_proven: boolean;
};

export type ProfileCommunityRow = {
  slug: string;
  title: Record<string, string>;
  privacy: CommunityPrivacy;
  can_view: Scope;
  can_join: Scope;
  is_granted: boolean;
  role: 'owner' | 'member';
  viewer_role: 'owner' | 'member' | null;
  viewer_level: Level | null;
  viewer_status: 'active' | 'pending' | 'invited' | null;
};

/** A community named by a badge, with the viewer's own membership. */
export type BadgeCommunityRow = Omit<ProfileCommunityRow, 'title' | 'role'> & { is_published: boolean };

export type ProfileAnswer = z.output<typeof Profile>;

/**
 * True if the viewer may learn from a profile that its owner is in this community: viewers who may read its members,
 * and for an unlisted community only its members.
 */
function isShared(row: Omit<ProfileCommunityRow, 'title' | 'role'>, viewer: UserViewer): boolean {
  const membership =
    row.viewer_role && row.viewer_status
      ? { role: row.viewer_role, level: row.viewer_level, status: row.viewer_status }
      : null;
  const community = {
    slug: row.slug,
    privacy: row.privacy,
    canView: row.can_view,
    canJoin: row.can_join,
    isGranted: row.is_granted,
  };
  if (communityVisibility(viewer, community, membership) !== 'content') return false;
  return row.privacy === 'open-visible' || membership?.status === 'active' || isAdministrator(viewer);
}

function inLocale(text: Record<string, string>, locale: Locale): string {
  const wanted = chainOf(locale).find((candidate) => text[candidate]);
  return (wanted ? text[wanted] : Object.values(text)[0]) ?? '';
}

/** Removes the badges of some communities, by slug. */
export function badgesBut(badges: ProfileRow['badges'], isLeftOut: (slug: string) => boolean): ProfileRow['badges'] {
  if (!badges['communities']) return badges;
  const shown = Object.entries(badges['communities']).filter(([slug]) => !isLeftOut(slug));
  return { ...badges, communities: Object.fromEntries(shown) };
}

/** The full profile, for its owner and viewers who may see it. */
export function toProfile(
  row: ProfileRow,
  { communities, ofBadges }: { communities: ProfileCommunityRow[]; ofBadges: BadgeCommunityRow[] },
  viewer: UserViewer,
  locale: Locale,
): ProfileAnswer {
  const hidden = new Set(
    ofBadges.filter((one) => !(one.is_published && isShared(one, viewer))).map(({ slug }) => slug),
  );
  const isOwn = viewer.id === row.id;
  const hasPicture = row.image_full !== null || row.image_thumbnail !== null;
  return {
    id: row.id,
    name: row.name,
    jobTitle: row.job_title,
    organization: row.organization,
    location: row.location,
    onboardingState: isOwn ? row.onboarding_state : null,
    biography: row.biography,
    bioLink: row.bio_link,
    image: hasPicture
      ? { full: row.image_full ?? row.image_thumbnail ?? '', thumbnail: row.image_thumbnail ?? row.image_full ?? '' }
      : null,
    badges: badgesBut(row.badges, (slug) => (isOwn ? isShutOut(viewer, slug) : hidden.has(slug))),
    visibility: row.visibility,
    joinedAt: row.joined_at.toISOString(),
    communities: communities
      .filter((community) => (isOwn ? !isShutOut(viewer, community.slug) : isShared(community, viewer)))
      .map(({ slug, title, role }) => ({ slug, title: inLocale(title, locale), role })),
  };
}

/** A private profile for other viewers: only the name and the visibility. */
export function toNameOnly(row: ProfileRow): ProfileAnswer {
  return {
    id: row.id,
    name: row.name,
    jobTitle: null,
    organization: null,
    location: null,
    onboardingState: null,
    biography: null,
    bioLink: null,
    image: null,
    badges: {},
    visibility: row.visibility,
    joinedAt: null,
    communities: [],
  };
}
