import { AppError } from '../errors.ts';
import type { UserViewer, Viewer } from './viewer.ts';

/** For how long after a sign-in or a confirmation no further proof of identity is needed. */
export const RECENT_MINUTES = 15;

/** 403 in a session narrowed by a token: tokens name communities and courses, never the account itself. */
export function refuseNarrowedSession(viewer: Viewer): void {
  if (viewer.kind === 'user' && viewer.permissions !== null) throw new AppError('auth.forbidden');
}

/** Whether the viewer signed in or confirmed within the last 15 minutes. */
export function isRecent({ recentUntilMs }: UserViewer): boolean {
  return performance.now() <= recentUntilMs;
}

/**
 * Guards actions that an unattended session must not allow: 403 unless the viewer signed in or confirmed within the
 * last 15 minutes, and always 403 in a narrowed session. Services authenticate with each request.
 */
export function requireRecentSignIn(viewer: Viewer): void {
  refuseNarrowedSession(viewer);
  if (viewer.kind === 'user' && !isRecent(viewer)) throw new AppError('auth.recent_sign_in_required');
}
