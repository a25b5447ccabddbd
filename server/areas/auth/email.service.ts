import { refuseNarrowedSession } from '#server/access/recent.ts';
import { endSessions, getSuccession, hashToken, openSession } from '#server/access/sessions.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { takeLimit, type Limit } from '#server/limits/limits.ts';
import { notify } from '#server/notify/notify.ts';
import { approvingRule } from '#server/areas/people/auto-approval.service.ts';
import { mayMail, tryPassword } from './attempts.service.ts';
import { consumeChallenge, endChallenges } from './challenge.repository.ts';
import { moveEnrolments } from './enrolment-claim.service.ts';
import { addresseeOf, mailAccountExists, mailEmailChange, mailEmailChangeNotice } from './mails.service.ts';
import { sessionOf, type Origin } from './origin.view.ts';
import { notifyOfWaiting } from './registration.repository.ts';
import type { Opened } from './session.service.ts';
import { getUser, getUserByEmail, lockUser, updateEmail, updateUser } from './user.repository.ts';
import { eraseUser, giveRole, proveAddress } from './user.service.ts';

/** Each change sends mail to an address the account chooses, so without a limit it could be used to spam. */
const CHANGES: Limit = { max: 10, windowSeconds: 3600 };

/**
 * Starts an address change: mails a link to the new address and a notice to the old one. False when the address is
 * unchanged.
 */
export async function startEmailChange(
  ctx: Ctx,
  viewer: UserViewer,
  input: { newEmail: string; password: string; address: string },
): Promise<boolean> {
  refuseNarrowedSession(viewer);
  const user = await getUser(ctx.db, viewer.id);
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

/** True for PostgreSQL's unique violation. */
function isTaken(error: unknown): boolean {
  return (error as { code?: unknown }).code === '23505'; // only reads a property, so any thrown value is safe
}

/**
 * Replaces the old address with the proven one, ends every session and opens a new one. The viewer must be signed in to
 * the account: the owner of an address who opens a link that another person caused would give that person the address.
 */
export async function finishEmailChange(
  ctx: Ctx,
  viewer: UserViewer,
  input: { token: string; origin: Origin },
): Promise<Opened | undefined> {
  refuseNarrowedSession(viewer);
  const opened = await inTransaction(ctx.db, async (trx) => {
    const change = await consumeChallenge(trx, { kind: 'email-change', secretHash: hashToken(input.token) });
    const user = change && (await lockUser(trx, change.userId));
    if (!user || user.id !== viewer.id) throw new AppError('auth.wrong_link');
    const email = String(change.detail['email']);
    const owner = await getUserByEmail(trx, email);
    // An account that never proved the address does not block its owner.
    if (owner && !owner.email_proven_at) await eraseUser(ctx, trx, owner.id, { leavesAddress: true });
    await updateEmail(trx, { id: user.id, email }).catch((error: unknown) => {
      throw isTaken(error) ? new AppError('auth.email_taken') : error;
    });
    const isApprovedByAddress = user.approved_by_rule !== null && user.role === 'public-servant';
    if (isApprovedByAddress && !(await approvingRule(trx, email))) {
      await giveRole(trx, user, { role: 'non-public-servant', by: 'system' });
      await updateUser(trx, user.id, { approved_by_rule: null, registration_status: 'pending' });
    }
    const { isApproved } = await proveAddress(ctx, trx, user, email);
    if (isApproved) await notify(trx, [{ userId: user.id, event: 'registration_decided', objectId: user.id }]);
    else await notifyOfWaiting(trx, user.id);
    if (user.email) await moveEnrolments(trx, { from: user.email, to: email });
    await endChallenges(trx, user.id); // pending links were mailed to the old address
    const former = await getSuccession(trx, viewer.sessionId);
    await endSessions(trx, user.id);
    if (!former) return undefined; // the session has ended meanwhile
    // Opening a mailed link is not a new sign-in.
    const { authenticatedAt, expiresAt, leftSeconds } = former;
    const { permissions } = viewer;
    const session = sessionOf(input.origin, { userId: user.id, permissions, authenticatedAt, expiresAt });
    return { sessionToken: await openSession(trx, session), maxAgeSeconds: Math.floor(leftSeconds) };
  });
  ctx.sessions.forget(viewer.id);
  return opened;
}
