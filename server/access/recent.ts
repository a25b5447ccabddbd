import { AppError } from '../errors.ts';
import type { UserViewer, Viewer } from './viewer.ts';

/** How long after a sign-in, or a confirmation, somebody need not prove again who they are. */
export const RECENT_MINUTES = 15;

/** 403 in a session that a token narrows: credentials, sessions and the account itself are nothing a token can name. */
export function requireWholeSession(viewer: Viewer): void {
  if (viewer.kind === 'user' && viewer.permissions !== null) throw new AppError('auth.forbidden');
}

/** Whether the holder of a session proved who they are in the last 15 minutes. */
export function isRecent({ recentUntilMs }: UserViewer): boolean {
  return performance.now() <= recentUntilMs;
}

/**
 * For what must not be done from a session that somebody left open: 403 unless its holder proved who they are in the
 * last 15 minutes, and in a session that a token narrows. Services prove themselves with each request.
 */
export function requireRecentSignIn(viewer: Viewer): void {
  requireWholeSession(viewer);
  if (viewer.kind === 'user' && !isRecent(viewer)) throw new AppError('auth.recent_sign_in_required');
}
