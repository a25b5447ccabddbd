import { FULL_CONTROL, type Level } from '#server/access/can.ts';
import type { Standing } from '../posts/activity.policy.ts';

/** A member as moderation sees them. `level` is what was granted to them. */
export type Moderated = { isTop: boolean; level: Level | null };

/** Moderators have no say over owners, administrators and each other. */
export function canModerateMember(standing: Standing, member: Moderated): boolean {
  if (standing.level < FULL_CONTROL) return false;
  return standing.isTop || !(member.isTop || member.level === FULL_CONTROL);
}

/** Only owners and administrators make moderators. */
export function canGrantLevel(standing: Standing, member: Moderated, level: Level | null): boolean {
  return canModerateMember(standing, member) && (standing.isTop || level !== FULL_CONTROL);
}

/** Only owners and administrators make owners, or take that back. */
export function canGrantRole(standing: Standing): boolean {
  return standing.level >= FULL_CONTROL && standing.isTop;
}
