import { Email, type Locale } from '@officium/contract/common';
import { recordAction } from '#server/audit/audit.ts';
import { isRecent } from '#server/access/recent.ts';
import { endSessions, hashToken, holdsRoles, newToken } from '#server/access/sessions.ts';
import { isActive, type Role, type Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { type IdentityProvider, type ProviderClaims, ProviderFailure } from '#server/outside/identity-provider.ts';
import { isBlank, stripMarkup } from '#server/text/sanitise.ts';
import { isUnstorable } from '#server/text/storable.ts';
import { endChallenges } from './challenge.repository.ts';
import { sessionAfter, takeFirstStep } from './factor-login.service.ts';
import type { Origin } from './origin.view.ts';
import { getIdentity, insertAttempt, lockIdentity, putIdentity, takeAttempt } from './provider.repository.ts';
import { roleOfGroups, settleRole } from './provider-role.policy.ts';
import { ownPath } from './redirect.policy.ts';
import { notifyOfWaiting } from './registration.repository.ts';
import type { SignedIn } from './signed-in.service.ts';
import {
  addUser,
  changeRole,
  getUserByEmail,
  isLastAdministrator,
  lockUser,
  proveAddress,
  toName,
  type UserRow,
} from './user.service.ts';

const TTL_SECONDS = 10 * 60;
const NAME_LENGTH = 100;

function requireProvider(ctx: Ctx): IdentityProvider {
  if (!ctx.identityProvider) throw new AppError('auth.no_provider');
  return ctx.identityProvider;
}

async function reportingFailures<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw error.reason === 'refused'
      ? new AppError('auth.provider_refused', {}, { cause: error })
      : new AppError('auth.provider_unavailable', { retryAfterSeconds: 30 }, { cause: error });
  }
}

/** Starts a sign-in. `url` is the provider's page; the browser keeps `attempt` until it returns. */
export async function startProviderSignIn(
  ctx: Ctx,
  next: string | undefined,
): Promise<{ url: string; attempt: string }> {
  const { url, ...begun } = await reportingFailures(requireProvider(ctx).begin());
  const attempt = newToken();
  const path = (next && ownPath(next, ctx.config.publicUrl)) || '/';
  await insertAttempt(ctx.db, { ...begun, hash: hashToken(attempt), next: path, ttlSeconds: TTL_SECONDS });
  return { url, attempt };
}

/** Completes a sign-in in the browser that started it. `viewer` is the session that browser already has. */
export async function finishProviderSignIn(
  ctx: Ctx,
  viewer: Viewer,
  { attempt, answer, locale, origin }: { attempt: string; answer: string; locale: Locale; origin: Origin },
): Promise<SignedIn & { redirectPath: string }> {
  const provider = requireProvider(ctx);
  const begun = await takeAttempt(ctx.lastingDb, hashToken(attempt));
  if (!begun) throw new AppError('auth.wrong_challenge');
  const claims = await reportingFailures(provider.finish(answer, begun));
  if (isUnstorable(claims)) throw new AppError('auth.provider_refused');
  const step = await inTransaction(ctx.db, async (trx) => {
    await lockIdentity(trx, claims);
    const user = await settleIdentity(ctx, trx, { claims, locale, viewer });
    await notifyOfWaiting(trx, user.id);
    return await takeFirstStep(ctx, trx, user, { origin, redirectPath: begun.next });
  });
  return { ...sessionAfter(step), redirectPath: begun.next };
}

/** The organisation's claims, with the language and current session of the browser. */
type SignInInput = { claims: ProviderClaims; locale: Locale; viewer: Viewer };

/** Finds or creates the account for an identity and applies the role that its groups give. */
async function settleIdentity(ctx: Ctx, db: Db, input: SignInInput): Promise<UserRow> {
  const { claims } = input;
  const known = await getIdentity(db, claims);
  const user = known ? await lockUser(db, known.userId) : await accountOf(ctx, db, input);
  if (!user) throw new AppError('auth.provider_refused'); // erased concurrently
  if (!known) await recordAction(db, 'system', { action: 'auth.link-provider', object: user.id });

  const current = user.role as Role; // guaranteed by the column's check constraint
  const given = roleOfGroups(claims.groups, ctx.config.groupRoles);
  const before = known?.granted ?? null;
  const { role, granted } = settleRole(given, { granted: before, current });
  if (role && (await isLastAdministrator(db, user))) {
    // Only an administrator can appoint another. A later sign-in takes the role once there is one.
    ctx.log.warn({ userId: user.id }, 'role change by the organisation skipped: last administrator');
    await putIdentity(db, { ...claims, userId: user.id, granted: before });
    return user;
  }
  await putIdentity(db, { ...claims, userId: user.id, granted });
  if (!role) return user;
  const detail = { from: current, to: role };
  await recordAction(db, 'system', { action: 'auth.change-role-by-provider', object: user.id, detail });
  return (await changeRole(ctx, db, user.id, { role, by: 'system' })) ?? user;
}

/** The account with the address that the organisation verified, or a new one. */
async function accountOf(ctx: Ctx, db: Db, { claims, locale, viewer }: SignInInput): Promise<UserRow | undefined> {
  const { success: isAddress, data: email } = Email.safeParse(claims.email);
  if (!isAddress || !claims.isEmailProven) throw new AppError('auth.provider_unproven');
  const made = await addUser(db, { email, name: nameOf(claims, email), locale, registration_status: 'pending' });
  const known = made ?? (await getUserByEmail(db, email));
  const user = known && (await lockUser(db, known.id));
  // Changing an address at the provider must not make anyone an administrator, or a holder of roles, here.
  if (user && !isSignedInTo(viewer, user.id) && (await hasPower(db, user)))
    throw new AppError('auth.provider_administrator');
  if (!user || user.email_proven_at) return user;
  // The unproven account may belong to someone else: this sign-in is the first proof of the address.
  await endChallenges(db, user.id);
  await proveAddress(ctx, db, user, email);
  await endSessions(db, user.id);
  return await lockUser(db, user.id);
}

/** True for an administrator and for an account with an assigned role. */
async function hasPower(db: Db, { id, role }: UserRow): Promise<boolean> {
  return role === 'administrator' || (await holdsRoles(db, id));
}

/** True if the browser has a full, recent session of this account. */
function isSignedInTo(viewer: Viewer, userId: string): boolean {
  return isActive(viewer) && viewer.id === userId && viewer.permissions === null && isRecent(viewer);
}

function nameOf({ name }: ProviderClaims, email: string): string {
  const [local = email] = email.split('@');
  const given = name && !isBlank(stripMarkup(name)) ? name : local;
  return [...toName(given)].slice(0, NAME_LENGTH).join('');
}
