import type { Locale } from '@officium/contract/common';
import { hashToken } from '#server/access/sessions.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { mayMail, tryPassword } from './attempts.service.ts';
import { consumeChallenge } from './challenge.repository.ts';
import { isKnownDevice } from './device.service.ts';
import { sessionAfter, takeFirstStep } from './factor-login.service.ts';
import { addresseeOf, mailLoginLink } from './mails.service.ts';
import type { Origin } from './origin.view.ts';
import { welcome } from './sign-up.service.ts';
import type { SignedIn } from './signed-in.service.ts';
import { getUserByEmail, lockUser } from './user.repository.ts';

/** Opens a session for an address and its password. Unknown addresses take the same time and get the same error. */
export async function signInWithPassword(
  ctx: Ctx,
  input: { email: string; password: string; origin: Origin },
): Promise<SignedIn> {
  const user = await getUserByEmail(ctx.db, input.email);
  const isRight = await tryPassword(ctx, {
    account: input.email,
    address: input.origin.address,
    isKnown: isKnownDevice(ctx, user, input.origin.device),
    password: input.password,
    storedHash: user?.password_hash,
  });
  if (!user || !isRight) throw new AppError('auth.wrong_credentials');
  const step = await inTransaction(ctx.db, async (trx) => {
    // A password change during the comparison ended all sessions, so the old password must not open a new one.
    const now = await lockUser(trx, user.id);
    if (!now || now.password_hash !== user.password_hash) throw new AppError('auth.wrong_credentials');
    return await takeFirstStep(ctx, trx, now, { origin: input.origin });
  });
  return sessionAfter(step);
}

/** Mails a sign-in link if the address has an account. The reply does not reveal whether it has. */
export async function sendLoginLink(
  ctx: Ctx,
  input: { email: string; chosenLocale: Locale | undefined; locale: Locale },
): Promise<void> {
  const isMailed = await mayMail(ctx, input.email);
  const user = await getUserByEmail(ctx.db, input.email);
  if (!user || !isMailed) return;
  const own = addresseeOf(user, input.email);
  const to = { ...own, locale: input.chosenLocale ?? (user.locale_chosen ? own.locale : input.locale) };
  await inTransaction(ctx.db, (trx) => mailLoginLink(ctx, trx, to));
}

/**
 * Signs in with the single-use token of a mailed link, which also proves the address. For accounts with a second factor
 * it is only the first step.
 */
export async function confirmLogin(
  ctx: Ctx,
  input: { token: string; origin: Origin },
): Promise<SignedIn & { redirectPath: string }> {
  const { step, redirectPath } = await inTransaction(ctx.db, async (trx) => {
    const link = await consumeChallenge(trx, { kind: 'login-link', secretHash: hashToken(input.token) });
    const user = link && (await lockUser(trx, link.userId));
    if (!user) throw new AppError('auth.wrong_link');
    if (user.email_proven_at)
      return { step: await takeFirstStep(ctx, trx, user, { origin: input.origin }), redirectPath: '/' };
    const welcomed = await welcome(ctx, trx, user, input.origin);
    return { step: welcomed, redirectPath: welcomed.redirectPath };
  });
  return { ...sessionAfter(step), redirectPath };
}
