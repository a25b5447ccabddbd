import type { readPerson } from '@officium/contract/admin-people';
import type { ReplyOf } from '@officium/contract/endpoint';

export type PersonBadges = ReplyOf<typeof readPerson>['badges'];

/** Badges the product has texts for. Any other badge of a person is left alone. */
export const BADGE_NAMES = ['platform-team', 'moderator', 'mentor', 'regular', 'article-author', 'first-certificate'];

/** Platform-wide badges of a person. */
export function platformBadges({ platform = {} }: PersonBadges): string[] {
  return Object.values(platform).flat();
}

/** Replaces the known badges with `chosen`; new ones are stored under `given`. */
export function withBadges(badges: PersonBadges, chosen: readonly string[]): PersonBadges {
  const isKept = (name: string) => chosen.includes(name) || !BADGE_NAMES.includes(name);
  const kept = Object.entries(badges.platform ?? {}).map(([scope, names]) => [scope, names.filter(isKept)] as const);
  const known = kept.flatMap(([, names]) => names);
  const added = BADGE_NAMES.filter((name) => chosen.includes(name) && !known.includes(name));
  const platform = Object.fromEntries(kept.filter(([, names]) => names.length > 0));
  const given = [...(platform['given'] ?? []), ...added];
  return { ...badges, platform: given.length > 0 ? { ...platform, given } : platform };
}
