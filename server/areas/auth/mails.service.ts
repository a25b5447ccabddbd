import type { Locale } from '@officium/contract/common';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { INVITATION_TTL_SECONDS, issueCode, issueSecret, TTL_SECONDS } from './challenge.service.ts';

// Mails that strangers can trigger never repeat text the stranger entered, not even a name.

export type Addressee = { userId: string; email: string; locale: Locale };

/** Addresses a user in the language of their account. */
export function addresseeOf(user: { id: string; locale: string }, email: string): Addressee {
  return { userId: user.id, email, locale: user.locale as Locale }; // only locales are stored
}

export function linkTo(ctx: Ctx, path: string, query: Record<string, string> = {}): string {
  const url = new URL(path, ctx.config.publicUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

export async function mailSignUpCode(ctx: Ctx, db: Db, { userId, email, locale }: Addressee): Promise<void> {
  const code = await issueCode(db, userId);
  const secret = await issueSecret(db, { kind: 'sign-up-link', userId });
  const link = linkTo(ctx, '/signup/confirm', { email, code: secret });
  const expiresInSeconds = TTL_SECONDS['sign-up'];
  await queueMail(ctx, db, { kind: 'sign_up_code', to: email, userId, locale, code, link, expiresInSeconds });
}

export async function mailAccountExists(ctx: Ctx, db: Db, { userId, email, locale }: Addressee): Promise<void> {
  await queueMail(ctx, db, { kind: 'account_exists', to: email, userId, locale, link: linkTo(ctx, '/login') });
}

export async function mailInvitation(ctx: Ctx, db: Db, { userId, email, locale }: Addressee): Promise<void> {
  const ttlSeconds = INVITATION_TTL_SECONDS;
  const onboardingState = await issueSecret(db, { kind: 'onboarding', userId, ttlSeconds });
  const link = linkTo(ctx, '/welcome', { onboardingState });
  await queueMail(ctx, db, { kind: 'invitation', to: email, userId, locale, link, expiresInSeconds: ttlSeconds });
}

export async function mailLoginLink(ctx: Ctx, db: Db, { userId, email, locale }: Addressee): Promise<void> {
  const token = await issueSecret(db, { kind: 'login-link', userId });
  const link = linkTo(ctx, '/login/confirm', { token });
  const expiresInSeconds = TTL_SECONDS['login-link'];
  await queueMail(ctx, db, { kind: 'login_link', to: email, userId, locale, link, expiresInSeconds });
}

export async function mailPasswordReset(ctx: Ctx, db: Db, { userId, email, locale }: Addressee): Promise<void> {
  const forgotPassword = await issueSecret(db, { kind: 'password-reset', userId });
  const link = linkTo(ctx, '/reset', { forgotPassword });
  const expiresInSeconds = TTL_SECONDS['password-reset'];
  await queueMail(ctx, db, { kind: 'password_reset', to: email, userId, locale, link, expiresInSeconds });
}

export async function mailPasswordChanged(ctx: Ctx, db: Db, { userId, email, locale }: Addressee): Promise<void> {
  await queueMail(ctx, db, { kind: 'password_changed', to: email, userId, locale, link: linkTo(ctx, '/reset') });
}

/** Mails the new address, which no account owns yet. */
export async function mailEmailChange(ctx: Ctx, db: Db, { userId, email, locale }: Addressee): Promise<void> {
  const token = await issueSecret(db, { kind: 'email-change', userId, detail: { email } });
  const link = linkTo(ctx, '/email/confirm', { token });
  const expiresInSeconds = TTL_SECONDS['email-change'];
  await queueMail(ctx, db, { kind: 'email_change', to: email, userId, locale, link, expiresInSeconds });
}

/** Mails the old address. */
export async function mailEmailChangeNotice(
  ctx: Ctx,
  db: Db,
  { userId, email, locale, newEmail }: Addressee & { newEmail: string },
): Promise<void> {
  const link = linkTo(ctx, '/me/settings');
  await queueMail(ctx, db, { kind: 'email_change_notice', to: email, userId, locale, values: { newEmail }, link });
}

export async function mailConfirmationCode(ctx: Ctx, db: Db, { userId, email, locale }: Addressee): Promise<void> {
  const code = await issueCode(db, userId, 'confirmation');
  const expiresInSeconds = TTL_SECONDS.confirmation;
  const link = linkTo(ctx, '/confirm');
  await queueMail(ctx, db, { kind: 'confirmation_code', to: email, userId, locale, code, link, expiresInSeconds });
}

export type FactorChange =
  'app_added' | 'app_removed' | 'passkey_added' | 'passkey_removed' | 'codes_renewed' | 'reset';

export async function mailFactorChange(
  ctx: Ctx,
  db: Db,
  { userId, email, locale, change }: Addressee & { change: FactorChange },
): Promise<void> {
  const link = linkTo(ctx, '/me/settings/security');
  await queueMail(ctx, db, { kind: 'second_factor_changed', to: email, userId, locale, values: { change }, link });
}
