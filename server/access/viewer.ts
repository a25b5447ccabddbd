import type { Locale } from '@officium/contract/common';
import type { AssignedRole, PlaceKind } from '@officium/contract/roles';

export const ROLES = ['inactive', 'non-public-servant', 'public-servant', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** Rights a minted token carries. They narrow what the database grants, and never widen it. */
export type TokenPermissions = {
  communities?: Record<string, number | string>;
  courses?: Record<string, string[]>;
};

/** A role of the viewer in one place, as the session statement reads it. */
export type HeldRole = {
  role: AssignedRole;
  kind: PlaceKind;
  /** null for the installation. */
  id: string | null;
  /** The ids of the courses of an academy, for which the role holds, too. */
  courses?: string[] | null;
};

/** The current request, for the audit log. */
type RequestInfo = { requestId?: string };

/** The caller: anonymous, a service with a key, or a user. */
export type Anonymous = RequestInfo & { kind: 'anonymous' };
export type ServiceViewer = RequestInfo & { kind: 'service'; name: string };
export type UserViewer = RequestInfo & {
  kind: 'user';
  id: string;
  role: Role;
  name: string;
  email: string;
  locale: Locale;
  localeChosen: boolean;
  thumbnail: string | null;
  /** The e-mail address is unproven: the session may only prove it or sign out. */
  limited: boolean;
  permissions: TokenPermissions | null;
  sessionId: string;
  /** Until when, by `performance.now()`, the sign-in counts as recent. */
  recentUntilMs: number;
  /** A sign-in to the account needs a second factor. */
  hasSecondFactor: boolean;
  /** Roles assigned in places; undefined: none. Rules ask `roles.ts`, which knows when they count. */
  roles?: readonly HeldRole[];
  /** A service opened the session, and its holder has proven nothing here: assigned roles do not count. */
  isMinted?: boolean;
  /** An administrator or holder of roles who must set up a second factor first, and has neither power until then. */
  lacksFactor?: boolean;
};
export type Viewer = Anonymous | ServiceViewer | UserViewer;

export const ANONYMOUS: Anonymous = { kind: 'anonymous' };

export function isUser(viewer: Viewer): viewer is UserViewer {
  return viewer.kind === 'user';
}

/** Signed in with a proven address on an active account. */
export function isActive(viewer: Viewer): viewer is UserViewer {
  return viewer.kind === 'user' && !viewer.limited && viewer.role !== 'inactive';
}

/** An inactive account may only delete itself or end its session: fewer rights than an anonymous viewer. */
export function isLockedOut(viewer: Viewer): boolean {
  return viewer.kind === 'user' && viewer.role === 'inactive';
}

export function isAdministrator(viewer: Viewer): viewer is UserViewer {
  return isActive(viewer) && viewer.role === 'administrator' && viewer.lacksFactor !== true;
}

export function isPublicServant(viewer: Viewer): viewer is UserViewer {
  return isActive(viewer) && (viewer.role === 'public-servant' || viewer.role === 'administrator');
}

/** The id to compare with rows; no row carries the zero UUID. */
export function viewerId(viewer: Viewer): string {
  return viewer.kind === 'user' ? viewer.id : '00000000-0000-0000-0000-000000000000';
}
