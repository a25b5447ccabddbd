import { FULL_CONTROL, type Level } from '#server/access/can.ts';
import type { Rights } from '../posts/activity.policy.ts';

/** A member whose rights change. `level` is the granted one. */
export type Moderated = { isTop: boolean; level: Level | null };

/** Moderators cannot change owners, administrators and each other. */
export function canModerateMember(rights: Rights, member: Moderated): boolean {
  if (rights.level < FULL_CONTROL) return false;
  return rights.isTop || !(member.isTop || member.level === FULL_CONTROL);
}

/** Only owners and administrators appoint moderators. */
export function canGrantLevel(rights: Rights, member: Moderated, level: Level | null): boolean {
  return canModerateMember(rights, member) && (rights.isTop || level !== FULL_CONTROL);
}

/** Only owners and administrators appoint and dismiss owners. */
export function canGrantRole(rights: Rights): boolean {
  return rights.level >= FULL_CONTROL && rights.isTop;
}
