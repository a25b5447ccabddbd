import type { setPassword } from '@officium/contract/auth';
import type { InputOf } from '@officium/contract/endpoint';
import { people } from '#server/access/policies.ts';
import { refuseNarrowedSession } from '#server/access/recent.ts';
import { endSessions, hashToken, openSession } from '#server/access/sessions.ts';
import { isUser, type UserViewer, type Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { mayMail, tryPassword } from './attempts.service.ts';
import { consumeChallenge, endChallenges, getChallenge } from './challenge.repository.ts';
import { commonPasswords } from './common-passwords.data.ts';
import { deviceToken } from './device.service.ts';
import { isGuessable } from './guessable.policy.ts';
import { addresseeOf, mailPasswordChanged, mailPasswordReset, mailSignUpCode } from './mails.service.ts';
import { sessionOf, type Origin } from './origin.view.ts';
import { hashPassword, isPassword } from './password-hash.service.ts';
import {
  findPasswordHashes,
  getUser,
  getUserByEmail,
  lockUser,
  updatePassword,
  type UserRow,
} from './user.repository.ts';

export type PasswordUpdate = InputOf<typeof setPassword>['body'];

/** Mails a reset link or sign-up code and returns the state of the account. Unknown addresses return OK as well. */
export async function startReset(ctx: Ctx, email: string): Promise<'OK' | 'verify' | 'pending'> {
  const isMailed = await mayMail(ctx, email);
  const user = await getUserByEmail(ctx.db, email);
  if (!user) return 'OK';
  const send = user.email_proven_at ? mailPasswordReset : mailSignUpCode;
  if (isMailed) await inTransaction(ctx.db, (trx) => send(ctx, trx, addresseeOf(user, email)));
  if (!user.email_proven_at) return 'verify';
  const awaitsApproval = user.role === 'non-public-servant' && user.registration_status === 'pending';
  return awaitsApproval ? 'pending' : 'OK';
}

/** Checks the viewer's current password. Failures count like failed sign-ins. */
export async function isMyPassword(ctx: Ctx, viewer: UserViewer, password: string, address: string): Promise<boolean> {
  refuseNarrowedSession(viewer);
  const user = await getUser(ctx.db, viewer.id);
  const storedHash = user?.password_hash;
  return await tryPassword(ctx, { account: viewer.email, address, isKnown: true, password, storedHash });
}

/** The user who sets a password, and a check that the proof is still valid inside the transaction. */
type Proof = { user: UserRow; use(db: Db): Promise<void> };

function wrongSecret(): AppError {
  return new AppError('auth.wrong_secret', { body: { errorCode: 'PasswordNoUserInfoError' } });
}

async function proveByPassword(ctx: Ctx, viewer: Viewer, oldPassword: string, address: string): Promise<Proof> {
  people.check(viewer);
  refuseNarrowedSession(viewer);
  const user = isUser(viewer) ? await getUser(ctx.db, viewer.id) : undefined;
  if (!user?.email) throw new AppError('auth.required');
  const isRight = await tryPassword(ctx, {
    account: user.email,
    address,
    isKnown: true,
    password: oldPassword,
    storedHash: user.password_hash,
  });
  if (!isRight) throw new AppError('auth.wrong_password');
  return {
    user,
    async use(db) {
      const now = await lockUser(db, user.id);
      if (now?.password_hash !== user.password_hash) throw new AppError('auth.wrong_password');
    },
  };
}

async function proveBySecret(ctx: Ctx, kind: 'onboarding' | 'password-reset', secret: string): Promise<Proof> {
  const challenge = { kind, secretHash: hashToken(secret) };
  const known = await getChallenge(ctx.db, challenge);
  const user = known && (await getUser(ctx.db, known.userId));
  if (!user) throw wrongSecret();
  return {
    user,
    async use(db) {
      if (!(await lockUser(db, user.id)) || !(await consumeChallenge(db, challenge))) throw wrongSecret();
    },
  };
}

async function wasUsedBefore(password: string, hashes: string[]): Promise<boolean> {
  // Compares all, so that timing does not reveal a match.
  return (await Promise.all(hashes.map((hash) => isPassword(password, hash)))).includes(true);
}

/**
 * Sets a password with one of three proofs, and ends all other sessions and pending secrets. An invited user without a
 * session gets one, unless a second factor is required. Hashing runs before the transaction, so that it holds no
 * connection; the transaction checks the proof again.
 */
export async function changePassword(
  ctx: Ctx,
  viewer: Viewer,
  input: { update: PasswordUpdate; origin: Origin },
): Promise<{ sessionToken: string | undefined; device: string | undefined }> {
  const { password, oldPassword, onboardingState, forgotPassword } = input.update;
  const { user, use } =
    oldPassword !== undefined
      ? await proveByPassword(ctx, viewer, oldPassword, input.origin.address)
      : onboardingState !== undefined
        ? await proveBySecret(ctx, 'onboarding', onboardingState)
        : await proveBySecret(ctx, 'password-reset', forgotPassword ?? '');
  const siteNames = ['Officium', ctx.config.providerName, ctx.site.current().name];
  if (isGuessable(password, { common: await commonPasswords(), email: user.email, name: user.name, siteNames }))
    throw new AppError('auth.password_common');
  if (await wasUsedBefore(password, await findPasswordHashes(ctx.db, user.id)))
    throw new AppError('auth.password_used_before', { body: { errorCode: 'PasswordHistoryError' } });
  const passwordHash = await hashPassword(password);
  const keptSession = isUser(viewer) && viewer.id === user.id && !viewer.limited ? viewer.sessionId : undefined;
  const sessionToken = await inTransaction(ctx.db, async (trx) => {
    await use(trx);
    await updatePassword(trx, { id: user.id, passwordHash });
    await endChallenges(trx, user.id);
    await endSessions(trx, user.id, keptSession);
    if (user.password_hash && user.email) await mailPasswordChanged(ctx, trx, addresseeOf(user, user.email));
    const isWelcomed = onboardingState !== undefined && keptSession === undefined && !user.second_factor;
    return isWelcomed ? await openSession(trx, sessionOf(input.origin, { userId: user.id })) : undefined;
  });
  ctx.sessions.forget(user.id);
  const isSignedIn = keptSession !== undefined || sessionToken !== undefined;
  return {
    sessionToken,
    device: isSignedIn ? deviceToken(ctx, { id: user.id, password_hash: passwordHash }) : undefined,
  };
}
