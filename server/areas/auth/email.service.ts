import { refuseNarrowedSession } from '#server/access/recent.ts';
import { endSessions, getSuccession, hashToken, openSession } from '#server/access/sessions.ts';
import { isUser, type UserViewer, type Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { takeLimit, type Limit } from '#server/limits/limits.ts';
import { approvingRule } from '#server/areas/people/auto-approval.service.ts';
import { mayMail, tryPassword } from './attempts.service.ts';
import { consumeChallenge, endChallenges } from './challenge.repository.ts';
import { moveEnrolments } from './enrolment-claim.service.ts';
import { addresseeOf, mailAccountExists, mailEmailChange, mailEmailChangeNotice } from './mails.service.ts';
import { sessionOf, type Origin } from './origin.view.ts';
import type { Opened } from './session.service.ts';
import { getUser, getUserByEmail, lockUser, updateEmail, updateUser } from './user.repository.ts';
import { eraseUser, giveRole, proveAddress } from './user.service.ts';

/** Each change mails an address that the account chooses; without a limit, anybody could mail everybody in our name. */
const CHANGES: Limit = { max: 10, windowSeconds: 3600 };

/** Begins the change of an address: a link to the new one, word to the old one. False when it is theirs already. */
export async function startEmailChange(
  ctx: Ctx,
  actor: UserViewer,
  input: { newEmail: string; password: string; address: string },
): Promise<boolean> {
  refuseNarrowedSession(actor);
  const user = await getUser(ctx.db, actor.id);
  if (!user?.email) throw new AppError('auth.required');
  const { email: account, password_hash: storedHash } = user;
  const { address, password, newEmail } = input;
  if (!(await tryPassword(ctx, { account, address, isKnown: true, password, storedHash })))
    throw new AppError('auth.wrong_password');
  if (newEmail === user.email) return false;
  await takeLimit(ctx, `email-change:${user.id}`, CHANGES);
  const isMailed = await mayMail(ctx, newEmail);
  const owner = await getUserByEmail(ctx.db, newEmail);
  await inTransaction(ctx.db, async (trx) => {
    await endChallenges(trx, user.id, ['email-change']);
    if (isMailed && owner?.email_proven_at) await mailAccountExists(ctx, trx, addresseeOf(owner, newEmail));
    else if (isMailed) await mailEmailChange(ctx, trx, addresseeOf(user, newEmail));
    await mailEmailChangeNotice(ctx, trx, { ...addresseeOf(user, account), newEmail });
  });
  return true;
}

/** PostgreSQL's word for a value that another row has. */
function isTaken(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505'; // only read; whatever was thrown
}

/**
 * Puts a proven address in the place of the old one and ends every session. Whoever confirms while signed in to the
 * same account gets a new session.
 */
export async function finishEmailChange(
  ctx: Ctx,
  viewer: Viewer,
  input: { token: string; origin: Origin },
): Promise<Opened | undefined> {
  const { userId, opened } = await inTransaction(ctx.db, async (trx) => {
    const change = await consumeChallenge(trx, { kind: 'email-change', secretHash: hashToken(input.token) });
    const user = change && (await lockUser(trx, change.userId));
    if (!user) throw new AppError('auth.wrong_link');
    const email = String(change.detail['email']);
    const owner = await getUserByEmail(trx, email);
    // Whoever named the address at sign-up never showed that it is theirs.
    if (owner && !owner.email_proven_at) await eraseUser(ctx, trx, owner.id, { leavesAddress: true });
    await updateEmail(trx, { id: user.id, email }).catch((error: unknown) => {
      throw isTaken(error) ? new AppError('auth.email_taken') : error;
    });
    const isApprovedByAddress = user.approved_by_rule !== null && user.role === 'public-servant';
    if (isApprovedByAddress && !(await approvingRule(trx, email))) {
      await giveRole(trx, user, { role: 'non-public-servant', by: 'system' });
      await updateUser(trx, user.id, { approved_by_rule: null, registration_status: 'pending' });
    }
    await proveAddress(ctx, trx, user, email);
    if (user.email) await moveEnrolments(trx, { from: user.email, to: email });
    await endChallenges(trx, user.id); // links under way went to the old address
    const isSignedIn = isUser(viewer) && viewer.id === user.id && !viewer.limited;
    const former = isSignedIn ? await getSuccession(trx, viewer.sessionId) : undefined;
    await endSessions(trx, user.id);
    if (!isSignedIn || !former) return { userId: user.id, opened: undefined };
    // Reading a mail is no new sign-in.
    const { authenticatedAt, expiresAt, leftSeconds } = former;
    const { permissions } = viewer;
    const session = sessionOf(input.origin, { userId: user.id, permissions, authenticatedAt, expiresAt });
    const opened = { sessionToken: await openSession(trx, session), maxAgeSeconds: Math.floor(leftSeconds) };
    return { userId: user.id, opened };
  });
  ctx.sessions.forget(userId);
  return opened;
}
