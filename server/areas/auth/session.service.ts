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

/** A session for the cookie; `maxAgeSeconds` when it ends before the usual time. */
export type Opened = { sessionToken: string; maxAgeSeconds: number | undefined };
type Minted = { permissions: TokenPermissions | null; exp: number | null };

export async function getMySessions(ctx: Ctx, actor: UserViewer): Promise<ReplyOf<typeof listSessions>> {
  const rows = await findSessions(ctx.db, actor.id);
  const sessions = rows.map((row) => ({
    id: row.id,
    current: row.id === actor.sessionId,
    userAgent: row.user_agent,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }));
  return { sessions, total: sessions.length };
}

/** Ends a session of one's own; another person's is as unknown as one that never was. */
export async function endMySession(ctx: Ctx, actor: UserViewer, id: string): Promise<void> {
  if (id !== actor.sessionId) refuseNarrowedSession(actor);
  await inTransaction(ctx.db, async (trx) => {
    if (!(await hasSession(trx, { userId: actor.id, id }))) throw notFound();
    await endSession(trx, { userId: actor.id, sessionId: id });
  });
  ctx.sessions.forget(actor.id);
}

/** Ends the session that asks. Ended already is as good. */
export async function endThisSession(ctx: Ctx, actor: UserViewer): Promise<void> {
  await endSession(ctx.db, { userId: actor.id, sessionId: actor.sessionId });
  ctx.sessions.forget(actor.id);
}

/** Makes every node read the account anew. */
export async function refresh(ctx: Ctx, actor: UserViewer): Promise<void> {
  await announceSessionChange(ctx.db, actor.id);
  ctx.sessions.forget(actor.id);
}

/** Opens a session as a token asks for, unless its time is over. Its holder proved nothing here: no sign-in is recent. */
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
 * A service's word for who somebody is: a session, and a token that opens another one, once. The account must exist
 * under both the id and the address; administrators sign in themselves.
 */
export async function mint(
  ctx: Ctx,
  actor: ServiceViewer | UserViewer,
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
    await recordAction(trx, actor, {
      action: 'auth.mint-token',
      object: id,
      detail: minted,
      requestId: input.requestId,
    });
    return { ...(await openMinted({ ...ctx, db: trx }, id, minted, input.origin)), token };
  });
}

/** Opens the session of a minted token. The lock makes a change of role end this session too, or keep it from opening. */
export async function exchange(ctx: Ctx, input: { token: string; origin: Origin }): Promise<Opened> {
  return await inTransaction(ctx.db, async (trx) => {
    const found = await consumeChallenge(trx, { kind: 'session-token', secretHash: hashToken(input.token) });
    const user = found && (await lockUser(trx, found.userId));
    if (!user || user.role === 'administrator') throw new AppError('auth.wrong_link');
    const minted = found.detail as Minted; // `mint` wrote it
    if (minted.exp !== null && (await getSecondsUntil(trx, minted.exp)) <= 0) throw new AppError('auth.wrong_link');
    return await openMinted({ ...ctx, db: trx }, user.id, minted, input.origin);
  });
}
