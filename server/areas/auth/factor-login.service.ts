import type { FactorMethod, proveSecondFactor } from '@officium/contract/second-factor';
import type { InputOf } from '@officium/contract/endpoint';
import { hashToken } from '#server/access/sessions.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { consumeChallenge, getChallenge, takeChallengeAttempt } from './challenge.repository.ts';
import { issueSecret } from './challenge.service.ts';
import { countingAttempts, useAppCode, useRecovery } from './factor-proof.service.ts';
import type { Origin } from './origin.view.ts';
import { getPasskey } from './passkey.repository.ts';
import { checkPasskey, proofOptions, type Proof } from './passkey.service.ts';
import { getFactors } from './second-factor.repository.ts';
import { completeSignIn, type SignedIn } from './signed-in.service.ts';
import { lockUser, type UserRow } from './user.repository.ts';

/** Result of a successful first step: a session, or the challenge for the second step. */
export type FirstStep = SignedIn | { owed: { challenge: string; methods: FactorMethod[] } };

/** Opens a session for a user who proved one factor, or asks for the second. `db` is a transaction. */
export async function takeFirstStep(
  ctx: Ctx,
  db: Db,
  user: UserRow,
  { origin, redirectPath = '/' }: { origin: Origin; redirectPath?: string },
): Promise<FirstStep> {
  if (!user.second_factor) return await completeSignIn(ctx, db, user, origin);
  const { totp, passkeys, recoveryCodes } = await getFactors(db, user.id);
  const methods: FactorMethod[] = [
    ...(totp ? (['totp'] as const) : []),
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(recoveryCodes > 0 ? (['recovery-code'] as const) : []),
  ];
  const challenge = await issueSecret(db, { kind: 'second-factor', userId: user.id, detail: { redirectPath } });
  return { owed: { challenge, methods } };
}

/**
 * Call it after the transaction of the first step: throwing inside would roll back the challenge for the second step.
 */
export function sessionAfter(step: FirstStep): SignedIn {
  if ('owed' in step) throw new AppError('auth.second_factor_required', { body: step.owed });
  return step;
}

export async function startPasskeyStep(ctx: Ctx, challenge: string): Promise<{ options: Record<string, unknown> }> {
  const owed = await getChallenge(ctx.db, { kind: 'second-factor', secretHash: hashToken(challenge) });
  if (!owed) throw new AppError('auth.wrong_challenge');
  return await proofOptions(ctx, 'second-factor', owed.userId);
}

type Given = InputOf<typeof proveSecondFactor>['body'];

async function isProven(ctx: Ctx, db: Db, userId: string, given: Given): Promise<boolean> {
  const { code, recoveryCode, passkey } = given;
  if (passkey) return Boolean(await checkPasskey(ctx, db, { proof: passkey, purpose: 'second-factor', userId }));
  return await countingAttempts(ctx, userId, async () =>
    code === undefined
      ? await useRecovery(ctx, db, { userId, code: recoveryCode ?? '' })
      : await useAppCode(ctx, db, { userId, code }),
  );
}

/** Completes a sign-in. Exactly one of several concurrent callers gets the session. */
export async function takeSecondStep(
  ctx: Ctx,
  { given, origin }: { given: Given; origin: Origin },
): Promise<SignedIn & { redirectPath: string }> {
  const challenge = { kind: 'second-factor', secretHash: hashToken(given.challenge) } as const;
  const owed = await takeChallengeAttempt(ctx.lastingDb, challenge);
  if (!owed) throw new AppError('auth.wrong_challenge');
  return await inTransaction(ctx.db, async (trx) => {
    const user = await lockUser(trx, owed.userId);
    if (!user) throw new AppError('auth.wrong_challenge');
    if (!(await isProven(ctx, trx, user.id, given))) throw new AppError('auth.wrong_proof');
    if (!(await consumeChallenge(trx, challenge))) throw new AppError('auth.wrong_challenge');
    return {
      ...(await completeSignIn(ctx, trx, user, origin)),
      redirectPath: String(owed.detail['redirectPath'] ?? '/'),
    };
  });
}

/** Signs in with a passkey alone. The device and its user verification count as two factors. */
export async function signInByPasskey(
  ctx: Ctx,
  { proof, origin }: { proof: Proof; origin: Origin },
): Promise<SignedIn> {
  return await inTransaction(ctx.db, async (trx) => {
    const claimed = await getPasskey(trx, proof.id);
    const user = claimed && (await lockUser(trx, claimed.user_id));
    const passkey = user && (await checkPasskey(ctx, trx, { proof, purpose: 'sign-in', userId: null }));
    if (!passkey) throw new AppError('auth.wrong_proof');
    return await completeSignIn(ctx, trx, user, origin);
  });
}
