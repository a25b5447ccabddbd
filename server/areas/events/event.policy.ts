import type { Event } from '@officium/contract/events';
import { admits, type Scope } from '#server/access/can.ts';
import { isActive, isAdministrator, isLockedOut, type Viewer } from '#server/access/viewer.ts';

export type EventAccess = { canView: Scope; canJoin: Scope; isGranted: boolean };

export function canSeeEvent(viewer: Viewer, { canView, isGranted }: EventAccess): boolean {
  return !isLockedOut(viewer) && admits(canView, viewer, isGranted);
}

/** Whether the viewer may take seats. */
export function canRegister(viewer: Viewer, { canJoin, isGranted }: EventAccess): boolean {
  return isActive(viewer) && admits(canJoin, viewer, isGranted);
}

/** Whether a seat can be had, for the page: visitors may have to sign in first. */
export function joiningOf(viewer: Viewer, access: EventAccess): Event['joining'] {
  if (canRegister(viewer, access)) return 'yes';
  return viewer.kind === 'anonymous' && access.canJoin !== 'private' ? 'sign-in' : 'no';
}

/** The joining link is for people with a seat, and for administrators, who prepare the session. */
export function seesLink(viewer: Viewer, status: 'seat' | 'waiting' | null): boolean {
  return status === 'seat' || isAdministrator(viewer);
}
