import type { confirmSession, readConfirmation } from '@officium/contract/second-factor';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { isRecent, refuseNarrowedSession } from '#server/access/recent.ts';
import { renewAuthentication } from '#server/access/sessions.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { takeLimit, type Limit } from '#server/limits/limits.ts';
import { tryPassword } from './attempts.service.ts';
import { consumeCode } from './challenge.repository.ts';
import { findCode } from './challenge.service.ts';
import { countingAttempts, useAppCode } from './factor-proof.service.ts';
import { addresseeOf, mailConfirmationCode } from './mails.service.ts';
import { checkPasskey, proofOptions } from './passkey.service.ts';
import { getFactors } from './second-factor.repository.ts';
import { getUser, lockUser, type UserRow } from './user.repository.ts';

const MAILS: Limit = { max: 3, windowSeconds: 15 * 60 };

async function requireUser(ctx: Ctx, viewer: UserViewer): Promise<UserRow & { email: string }> {
  const user = await getUser(ctx.db, viewer.id);
  if (!user?.email) throw new AppError('auth.required');
  return { ...user, email: user.email };
}

export async function getConfirmation(ctx: Ctx, viewer: UserViewer): Promise<ReplyOf<typeof readConfirmation>> {
  const [user, { totp, passkeys }] = await Promise.all([requireUser(ctx, viewer), getFactors(ctx.db, viewer.id)]);
  return {
    recent: isRecent(viewer),
    methods: [
      user.password_hash ? ('password' as const) : ('mail' as const),
      ...(totp ? (['totp'] as const) : []),
      ...(passkeys > 0 ? (['passkey'] as const) : []),
    ],
  };
}

export async function mailCode(ctx: Ctx, viewer: UserViewer): Promise<void> {
  refuseNarrowedSession(viewer);
  const user = await requireUser(ctx, viewer);
  if (user.password_hash) throw new AppError('auth.no_such_proof');
  await takeLimit(ctx, `confirmation:${viewer.id}`, MAILS);
  await inTransaction(ctx.db, (trx) => mailConfirmationCode(ctx, trx, addresseeOf(user, user.email)));
}

export async function startPasskeyConfirmation(
  ctx: Ctx,
  viewer: UserViewer,
): Promise<{ options: Record<string, unknown> }> {
  refuseNarrowedSession(viewer);
  return await proofOptions(ctx, 'confirm', viewer.id);
}

type Given = InputOf<typeof confirmSession>['body'];

/** Throws unless the password is correct. Runs before the transaction, because hashing is slow. */
async function checkPassword(ctx: Ctx, user: UserRow & { email: string }, password: string, address: string) {
  const { email: account, password_hash: storedHash } = user;
  if (!(await tryPassword(ctx, { account, address, isKnown: true, password, storedHash })))
    throw new AppError('auth.wrong_password');
}

/** A mailed code works only for accounts without a password. Setting a password voids it. */
async function isMailedCode(ctx: Ctx, db: Db, user: UserRow, code: string): Promise<boolean> {
  if (user.password_hash) return false;
  const id = await findCode(ctx, user.id, code, 'confirmation');
  return id !== undefined && (await consumeCode(db, id));
}

/** Marks the viewer's session as a recent sign-in once they prove their identity. */
export async function confirm(
  ctx: Ctx,
  viewer: UserViewer,
  { given, address }: { given: Given; address: string },
): Promise<void> {
  refuseNarrowedSession(viewer);
  const { password, mailCode: mailed, code, passkey } = given;
  const known = await requireUser(ctx, viewer);
  if (password !== undefined) await checkPassword(ctx, known, password, address);
  await inTransaction(ctx.db, async (trx) => {
    const user = await lockUser(trx, viewer.id);
    if (!user) throw new AppError('auth.required');
    const isRight =
      password !== undefined
        ? user.password_hash === known.password_hash
        : passkey
          ? Boolean(await checkPasskey(ctx, trx, { proof: passkey, purpose: 'confirm', userId: viewer.id }))
          : await countingAttempts(ctx, viewer.id, async () =>
              code === undefined
                ? await isMailedCode(ctx, trx, user, mailed ?? '')
                : await useAppCode(ctx, trx, { userId: viewer.id, code }),
            );
    if (!isRight) throw new AppError('auth.wrong_proof');
    await renewAuthentication(trx, { userId: viewer.id, sessionId: viewer.sessionId });
  });
  ctx.sessions.forget(viewer.id);
}
