import { type createAccount, TYPED_CODE } from '@officium/contract/auth';
import type { Locale } from '@officium/contract/common';
import type { InputOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { requireRecentSignIn } from '#server/access/recent.ts';
import { endSessions, hashToken, newToken, openSession } from '#server/access/sessions.ts';
import { isAdministrator, type Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { takeAddressLimit, type Limit } from '#server/limits/limits.ts';
import { takeTurnsByKey } from '#server/outside/turns.ts';
import { stripMarkup } from '#server/text/sanitise.ts';
import { mayMail } from './attempts.service.ts';
import { consumeChallenge, consumeCode, endChallenges } from './challenge.repository.ts';
import { findCode, issueSecret } from './challenge.service.ts';
import { countFailures } from './failures.service.ts';
import { addresseeOf, mailAccountExists, mailInvitation, mailSignUpCode } from './mails.service.ts';
import { sessionOf, type Origin } from './origin.view.ts';
import { safeRedirect } from './redirect.policy.ts';
import { notifyOfWaiting } from './registration.repository.ts';
import { completeSignIn, type SignedIn } from './signed-in.service.ts';
import { getUserByEmail, lockUser, updateUser, type UserChanges, type UserRow } from './user.repository.ts';
import { addUser, giveRole, proveAddress, toName } from './user.service.ts';

/** High enough for a training class behind one address, low enough to stop scripts. */
const SIGN_UPS: Limit = { max: 50, windowSeconds: 30 * 60 };

/** A code is one in a million. At ten wrong codes a day, guessing it for one account takes 100 000 days on average. */
const WRONG_CODES: Record<'account' | 'installation', Limit> = {
  account: { max: 10, windowSeconds: 24 * 3600 },
  installation: { max: 200, windowSeconds: 3600 },
};
const inTurnOfAccount = takeTurnsByKey({ running: 1, waiting: 500 });
const inTurnOfInstallation = takeTurnsByKey({ running: 20, waiting: 500 });

export type SignUp = InputOf<typeof createAccount>['body'];

/** Columns for the details of a sign-up. Omitted details are cleared. */
export function toDetails(
  ctx: Ctx,
  signUp: Omit<SignUp, 'email'>,
  locale: Locale,
): UserChanges & { name: string; locale: string } {
  const { optIn, freeCourse, courseInterest, clientId, page, ref, courseSlug, journeySlug } = signUp;
  const plain = (value: string | undefined) => (value ? stripMarkup(value) || null : null);
  const redirectTo = signUp.signupRedirectUrl && safeRedirect(signUp.signupRedirectUrl, ctx.config);
  return {
    name: toName(signUp.name),
    job_title: plain(signUp.jobTitle),
    organization: plain(signUp.organization),
    bio_link: signUp.bioLink ?? null,
    member_type: plain(signUp.memberType),
    locale: signUp.locale ?? locale,
    locale_chosen: signUp.locale !== undefined,
    sign_up: JSON.stringify({
      optIn,
      freeCourse,
      courseInterest,
      clientId,
      page,
      ref,
      courseSlug,
      journeySlug,
      signupRedirectUrl: redirectTo && redirectTo !== '/' ? redirectTo : undefined,
    }),
  };
}

/**
 * Creates an account and mails its owner. Callers without a session get the token of a limited one. The reply looks the
 * same for an address that already has an account; its token then opens nothing.
 */
export async function signUp(
  ctx: Ctx,
  viewer: Viewer,
  input: { signUp: SignUp; approved: boolean | undefined; locale: Locale; origin: Origin },
): Promise<{ sessionToken: string | undefined }> {
  const { email } = input.signUp;
  const isTrusted = viewer.kind === 'service' || isAdministrator(viewer);
  const isApproved = isTrusted && input.approved === true;
  if (isApproved) requireRecentSignIn(viewer);
  const details = toDetails(ctx, input.signUp, input.locale);
  if (!isTrusted) await takeAddressLimit(ctx, 'createAccount', input.origin.address, SIGN_UPS);
  const isMailed = isTrusted || (await mayMail(ctx, email));
  const needsSession = viewer.kind === 'anonymous' || (viewer.kind === 'user' && viewer.limited);

  return await inTransaction(ctx.db, async (trx) => {
    const user =
      (await addUser(trx, { email, ...details, registration_status: 'pending' })) ??
      (await renewSignUp(trx, email, details));
    if (!user) throw new AppError('server.unavailable', { retryAfterSeconds: 1 }); // erased between the two statements
    if (isTrusted && !user.email_proven_at)
      await recordAction(trx, viewer, {
        action: 'auth.create-account',
        object: user.id,
        detail: { approved: isApproved },
      });
    const to = addresseeOf(user, email);
    if (user.email_proven_at) {
      if (isMailed) await mailAccountExists(ctx, trx, to);
      return { sessionToken: needsSession ? newToken() : undefined };
    }
    if (isApproved) {
      await proveAddress(ctx, trx, user, email);
      await updateUser(trx, user.id, { registration_status: 'approved' });
      if (user.role === 'non-public-servant') await giveRole(trx, user, { role: 'public-servant', by: 'system' });
      await mailInvitation(ctx, trx, to);
    } else if (isMailed) await mailSignUpCode(ctx, trx, to);
    if (!needsSession) return { sessionToken: undefined };
    return { sessionToken: await openSession(trx, sessionOf(input.origin, { userId: user.id, limited: true })) };
  });
}

/** The account of an address. Until the address is proven, signing up again replaces the details. */
async function renewSignUp(db: Db, email: string, details: UserChanges): Promise<UserRow | undefined> {
  const known = await getUserByEmail(db, email);
  const user = known && (await lockUser(db, known.id));
  return user && !user.email_proven_at ? await updateUser(db, user.id, details) : user;
}

/** Mails another code to an unproven address. The reply is the same for every other address. */
export async function resendCode(ctx: Ctx, email: string): Promise<void> {
  const isMailed = await mayMail(ctx, email);
  const user = await getUserByEmail(ctx.db, email);
  if (!user || user.email_proven_at || !isMailed) return;
  await inTransaction(ctx.db, (trx) => mailSignUpCode(ctx, trx, addresseeOf(user, email)));
}

/**
 * Returns the id of the mailed code, or undefined if it is wrong. Wrong codes count per address, with or without an
 * account, and per installation to stop spraying over many accounts. At the limit only links work.
 */
async function checkCode(ctx: Ctx, email: string, user: UserRow | undefined, code: string) {
  let id: string | undefined;
  const counts = [
    { key: `sign-up-code:account:${email}`, limit: WRONG_CODES.account, inTurn: inTurnOfAccount },
    { key: 'sign-up-code:installation', limit: WRONG_CODES.installation, inTurn: inTurnOfInstallation },
  ];
  await countFailures(ctx, counts, async () => {
    id = user && (await findCode(ctx, user.id, code));
    return id !== undefined;
  }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'request.too_many') throw error;
    throw new AppError('auth.codes_paused', error.details, { cause: error });
  });
  return id;
}

/**
 * Proves an address with the mailed code or link and signs in. Other sessions end, because they were opened without
 * proof. `onlyUserId` restricts the call to that account.
 */
export async function confirmCode(
  ctx: Ctx,
  input: { email: string; code: string; origin: Origin; onlyUserId?: string },
): Promise<SignedIn & { redirectPath: string }> {
  const { email, code, onlyUserId } = input;
  const known = await getUserByEmail(ctx.db, email);
  const user = onlyUserId === undefined || known?.id === onlyUserId ? known : undefined;
  const isTyped = TYPED_CODE.test(code);
  const codeId = isTyped ? await checkCode(ctx, email, user, code) : undefined;
  if (!user || (isTyped && codeId === undefined)) throw new AppError('auth.wrong_code');
  return await inTransaction(ctx.db, async (trx) => {
    const now = await lockUser(trx, user.id);
    // A code mailed while the address was being proven must not bypass a second factor.
    if (!now || now.email_proven_at) throw new AppError('auth.wrong_code');
    const isRight =
      codeId === undefined
        ? (await consumeChallenge(trx, { kind: 'sign-up-link', secretHash: hashToken(code) }))?.userId === user.id
        : await consumeCode(trx, codeId);
    if (!isRight) throw new AppError('auth.wrong_code');
    return await welcome(ctx, trx, now, input.origin);
  });
}

/** Signs in a user who has just proven the address of a new account. `db` is a transaction. */
export async function welcome(
  ctx: Ctx,
  db: Db,
  user: UserRow,
  origin: Origin,
): Promise<SignedIn & { redirectPath: string }> {
  if (!user.email) throw new AppError('auth.wrong_code');
  await endChallenges(db, user.id);
  await proveAddress(ctx, db, user, user.email);
  await notifyOfWaiting(db, user.id);
  await endSessions(db, user.id);
  const onboardingState = await issueSecret(db, { kind: 'onboarding', userId: user.id });
  const query = new URLSearchParams({ onboardingState });
  const { signupRedirectUrl } = user.sign_up as { signupRedirectUrl?: string }; // written by toDetails
  const returnTo = safeRedirect(signupRedirectUrl, ctx.config); // the trusted origins may have changed since
  if (returnTo !== '/') query.set('returnTo', returnTo);
  return {
    ...(await completeSignIn(ctx, db, user, origin)),
    redirectPath: `/welcome?${query}`,
  };
}
