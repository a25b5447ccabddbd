import type { listSessions, mintToken } from '@officium/contract/auth';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { refuseNarrowedSession } from '#server/access/recent.ts';
import { announceSessionChange, endSession, hashToken, openSession } from '#server/access/sessions.ts';
import type { ServiceViewer, TokenPermissions, UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { consumeChallenge } from './challenge.repository.ts';
import { issueSecret } from './challenge.service.ts';
import { sessionOf, type Origin } from './origin.view.ts';
import { findSessions, getSecondsUntil, hasSession } from './session.repository.ts';
import { lockUser } from './user.repository.ts';

export { findSessions as sessionsOf, hasSession as isSessionOf };

/** A session for the cookie. `maxAgeSeconds` is set when it is shorter than usual. */
export type Opened = { sessionToken: string; maxAgeSeconds: number | undefined };
type Minted = { permissions: TokenPermissions | null; exp: number | null };

export async function getMySessions(ctx: Ctx, viewer: UserViewer): Promise<ReplyOf<typeof listSessions>> {
  const rows = await findSessions(ctx.db, viewer.id);
  const sessions = rows.map((row) => ({
    id: row.id,
    current: row.id === viewer.sessionId,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }));
  return { sessions, total: sessions.length };
}

/** Ends one of the viewer's sessions. Another user's session gives the same 404 as an unknown one. */
export async function endMySession(ctx: Ctx, viewer: UserViewer, id: string): Promise<void> {
  if (id !== viewer.sessionId) refuseNarrowedSession(viewer);
  await inTransaction(ctx.db, async (trx) => {
    if (!(await hasSession(trx, { userId: viewer.id, id }))) throw notFound();
    await endSession(trx, { userId: viewer.id, sessionId: id });
  });
  ctx.sessions.forget(viewer.id);
}

/** Ends the current session. Does nothing if it has already ended. */
export async function endThisSession(ctx: Ctx, viewer: UserViewer): Promise<void> {
  await endSession(ctx.db, { userId: viewer.id, sessionId: viewer.sessionId });
  ctx.sessions.forget(viewer.id);
}

/** Makes every node reload the account. */
export async function refresh(ctx: Ctx, viewer: UserViewer): Promise<void> {
  await announceSessionChange(ctx.db, viewer.id);
  ctx.sessions.forget(viewer.id);
}

/** Opens the session of a minted token. It never counts as a recent sign-in, because its holder proved nothing here. */
async function openMinted(ctx: Ctx, userId: string, minted: Minted, origin: Origin): Promise<Opened> {
  const seconds = minted.exp === null ? undefined : await getSecondsUntil(ctx.db, minted.exp);
  const expiresAt = minted.exp === null ? undefined : new Date(minted.exp * 1000);
  const session = sessionOf(origin, { userId, permissions: minted.permissions, expiresAt, authenticatedAt: null });
  const sessionToken = await openSession(ctx.db, session);
  return {
    sessionToken,
    maxAgeSeconds: seconds === undefined ? undefined : Math.min(Math.floor(seconds), 30 * 24 * 3600),
  };
}

/**
 * Opens a session for a user whom a service identified, with a single-use token for a second one. The account must
 * match both the id and the address. Refused for administrators.
 */
export async function mint(
  ctx: Ctx,
  viewer: ServiceViewer | UserViewer,
  input: { request: InputOf<typeof mintToken>['body']; origin: Origin; requestId: string },
): Promise<Opened & { token: string }> {
  const { id, email, exp, permissions } = input.request;
  if (exp !== undefined && (await getSecondsUntil(ctx.db, exp)) <= 0) throw invalid('exp', 'exp must be in the future');
  return await inTransaction(ctx.db, async (trx) => {
    const user = await lockUser(trx, id);
    if (user?.email !== email) throw notFound();
    if (user.role === 'administrator') throw new AppError('auth.not_mintable');
    const minted: Minted = { permissions: permissions ?? null, exp: exp ?? null };
    const token = await issueSecret(trx, { kind: 'session-token', userId: id, detail: minted });
    await recordAction(trx, viewer, {
      action: 'auth.mint-token',
      object: id,
      detail: minted,
      requestId: input.requestId,
    });
    return { ...(await openMinted({ ...ctx, db: trx }, id, minted, input.origin)), token };
  });
}

/**
 * Opens the session of a minted token. The lock makes a concurrent role change either end this session or prevent it.
 */
export async function exchange(ctx: Ctx, input: { token: string; origin: Origin }): Promise<Opened> {
  return await inTransaction(ctx.db, async (trx) => {
    const found = await consumeChallenge(trx, { kind: 'session-token', secretHash: hashToken(input.token) });
    const user = found && (await lockUser(trx, found.userId));
    if (!user || user.role === 'administrator') throw new AppError('auth.wrong_link');
    const minted = found.detail as Minted; // written by `mint`
    if (minted.exp !== null && (await getSecondsUntil(trx, minted.exp)) <= 0) throw new AppError('auth.wrong_link');
    return await openMinted({ ...ctx, db: trx }, user.id, minted, input.origin);
  });
}
