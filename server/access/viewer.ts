import type { Locale } from '@officium/contract/common';

export const ROLES = ['inactive', 'non-public-servant', 'public-servant', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/** Rights a minted token carries. They narrow what the database grants, and never widen it. */
export type TokenPermissions = {
  communities?: Record<string, number | string>;
  courses?: Record<string, string[]>;
};

/** In which request somebody asks, for the audit log. */
type Asking = { requestId?: string };

/** Who asks. */
export type Anonymous = Asking & { kind: 'anonymous' };
export type ServiceViewer = Asking & { kind: 'service'; name: string };
export type UserViewer = Asking & {
  kind: 'user';
  id: string;
  role: Role;
  name: string;
  email: string;
  locale: Locale;
  localeChosen: boolean;
  thumbnail: string | null;
  /** The e-mail address was never confirmed: the session may only do that, and end. */
  limited: boolean;
  permissions: TokenPermissions | null;
  sessionId: string;
  /** Until when, by the clock of `performance.now()`, they count as having just proven who they are. */
  recentUntilMs: number;
  /** Whether a sign-in to the account needs a second factor. */
  hasSecondFactor: boolean;
};
export type Viewer = Anonymous | ServiceViewer | UserViewer;

export const ANONYMOUS: Anonymous = { kind: 'anonymous' };

export function isUser(viewer: Viewer): viewer is UserViewer {
  return viewer.kind === 'user';
}

/** Signed in with a proven address on an account that is in use. */
export function isActive(viewer: Viewer): viewer is UserViewer {
  return viewer.kind === 'user' && !viewer.limited && viewer.role !== 'inactive';
}

/** An account that may only end itself or its session: less than a stranger. */
export function isLockedOut(viewer: Viewer): boolean {
  return viewer.kind === 'user' && viewer.role === 'inactive';
}

export function isAdministrator(viewer: Viewer): viewer is UserViewer {
  return isActive(viewer) && viewer.role === 'administrator';
}

export function isPublicServant(viewer: Viewer): viewer is UserViewer {
  return isActive(viewer) && (viewer.role === 'public-servant' || viewer.role === 'administrator');
}

/** The id rows are compared with; nobody's rows carry the zero UUID. */
export function viewerId(viewer: Viewer): string {
  return viewer.kind === 'user' ? viewer.id : '00000000-0000-0000-0000-000000000000';
}
