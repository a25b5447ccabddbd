import { AppError } from '../errors.ts';
import type { Viewer } from './viewer.ts';

/** How long after a sign-in, or a confirmation, somebody need not prove again who they are. */
export const RECENT_MINUTES = 15;

/**
 * For what must not be done from a session that somebody left open: 403 unless its holder proved who they are in the
 * last 15 minutes. Services prove themselves with each request.
 */
export function requireRecentSignIn(viewer: Viewer): void {
  if (viewer.kind === 'user' && performance.now() > viewer.recentUntilMs)
    throw new AppError('auth.recent_sign_in_required');
}
