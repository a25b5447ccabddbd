import { randomBytes } from 'node:crypto';
import { MAX_PASSKEYS, type addPasskey, type readSecondFactor, type startTotp } from '@officium/contract/second-factor';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { requireRecentSignIn, refuseNarrowedSession } from '#server/access/recent.ts';
import { announceSessionChange, endSessions } from '#server/access/sessions.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, newId, type Db } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { countingTries, makeRecoveryCodes, useAppCode } from './factor-proof.service.ts';
import { addresseeOf, mailFactorChange, type FactorChange } from './mails.service.ts';
import { deletePasskey, findPasskeys, insertPasskey, updatePasskeyName } from './passkey.repository.ts';
import { readNewPasskey, registrationOptions } from './passkey.service.ts';
import {
  deleteFactors,
  deleteTotp,
  getFactors,
  insertTotp,
  replaceRecoveryCodes,
  updateHasFactor,
} from './second-factor.repository.ts';
import { base32, otpauthUri, TOTP_SECRET_BYTES } from './totp.policy.ts';
import { lockUser, type UserRow } from './user.repository.ts';

export { getFactors as factorsOf };

type Added = { recoveryCodes?: string[] };

export async function getMyFactors(ctx: Ctx, actor: UserViewer): Promise<ReplyOf<typeof readSecondFactor>> {
  const [{ totp, recoveryCodes }, passkeys] = await Promise.all([
    getFactors(ctx.db, actor.id),
    findPasskeys(ctx.db, actor.id),
  ]);
  return {
    totp,
    recoveryCodes,
    passkeys: passkeys.map(({ id, name, created_at, last_used_at }) => ({
      id,
      name,
      createdAt: created_at.toISOString(),
      lastUsedAt: last_used_at?.toISOString() ?? null,
    })),
  };
}

/** Makes a secret for an app. It counts once a code of it was given. */
export async function startApp(ctx: Ctx, actor: UserViewer): Promise<ReplyOf<typeof startTotp>> {
  requireRecentSignIn(actor);
  const bytes = randomBytes(TOTP_SECRET_BYTES);
  if (!(await insertTotp(ctx.db, { userId: actor.id, secret: ctx.seal.close(bytes, actor.id) })))
    throw new AppError('request.conflict');
  const secret = base32(bytes);
  const uri = otpauthUri({ secret, issuer: ctx.config.providerName, account: actor.email });
  const { default: QRCode } = await import('qrcode');
  const drawing = await QRCode.toString(uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' });
  return { secret, uri, qrCode: `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}` };
}

export async function confirmApp(ctx: Ctx, actor: UserViewer, code: string): Promise<Added> {
  requireRecentSignIn(actor);
  let added: Added = {};
  const isRight = await countingTries(ctx, actor.id, () =>
    changing(ctx, actor, async (trx, user) => {
      if (!(await useAppCode(ctx, trx, { userId: actor.id, code, confirms: true }))) return false;
      added = await settleAdded(ctx, trx, { actor, user, change: 'app_added' });
      return true;
    }),
  );
  if (!isRight) throw new AppError('auth.wrong_proof');
  return added;
}

export async function removeApp(ctx: Ctx, actor: UserViewer): Promise<void> {
  requireRecentSignIn(actor);
  await changing(ctx, actor, async (trx, user) => {
    if (!(await deleteTotp(trx, actor.id))) throw notFound();
    await settleRemoved(ctx, trx, { actor, user, change: 'app_removed' });
  });
}

export async function renewCodes(ctx: Ctx, actor: UserViewer): Promise<string[]> {
  requireRecentSignIn(actor);
  return await changing(ctx, actor, async (trx, user) => {
    if (!user.second_factor) throw new AppError('auth.no_such_proof');
    await note(ctx, trx, { actor, user, change: 'codes_renewed' });
    return await makeRecoveryCodes(ctx, trx, actor.id);
  });
}

export async function startMyPasskey(ctx: Ctx, actor: UserViewer): Promise<{ options: Record<string, unknown> }> {
  requireRecentSignIn(actor);
  if ((await getFactors(ctx.db, actor.id)).passkeys >= MAX_PASSKEYS) throw new AppError('request.conflict');
  return await registrationOptions(ctx, actor);
}

export async function addMyPasskey(
  ctx: Ctx,
  actor: UserViewer,
  { name, passkey }: InputOf<typeof addPasskey>['body'],
): Promise<Added & { id: string }> {
  requireRecentSignIn(actor);
  const made = await readNewPasskey(ctx, actor.id, passkey);
  if (!made) throw new AppError('auth.wrong_proof');
  const id = newId();
  return await changing(ctx, actor, async (trx, user) => {
    if ((await getFactors(trx, actor.id)).passkeys >= MAX_PASSKEYS) throw new AppError('request.conflict');
    const { credentialId, publicKey, counter, transports } = made;
    const row = {
      id,
      user_id: actor.id,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      transports,
      name,
    };
    if (!(await insertPasskey(trx, row))) throw new AppError('request.conflict');
    return { id, ...(await settleAdded(ctx, trx, { actor, user, change: 'passkey_added' })) };
  });
}

export async function renameMyPasskey(ctx: Ctx, actor: UserViewer, to: { id: string; name: string }): Promise<void> {
  refuseNarrowedSession(actor);
  if (!(await updatePasskeyName(ctx.db, { ...to, userId: actor.id }))) throw notFound();
}

export async function removeMyPasskey(ctx: Ctx, actor: UserViewer, id: string): Promise<void> {
  requireRecentSignIn(actor);
  await changing(ctx, actor, async (trx, user) => {
    if (!(await deletePasskey(trx, { id, userId: actor.id }))) throw notFound();
    await settleRemoved(ctx, trx, { actor, user, change: 'passkey_removed' });
  });
}

/** Takes all second factors of somebody who lost them away; whoever is signed in as them is not any more. `db` is a transaction. */
export async function resetFactors(ctx: Ctx, db: Db, actor: UserViewer, userId: string): Promise<void> {
  const user = await lockUser(db, userId);
  if (!user) throw notFound();
  await deleteFactors(db, userId);
  await updateHasFactor(db, userId);
  await endSessions(db, userId);
  await note(ctx, db, { actor, user, change: 'reset' });
}

/** Changes the factors of the one who asks, nobody else meanwhile, and makes every node read the account anew. */
async function changing<T>(ctx: Ctx, actor: UserViewer, change: (trx: Db, user: UserRow) => Promise<T>): Promise<T> {
  const done = await inTransaction(ctx.db, async (trx) => {
    const user = await lockUser(trx, actor.id);
    if (!user) throw new AppError('auth.required');
    return await change(trx, user);
  });
  ctx.sessions.forget(actor.id);
  return done;
}

type Change = { actor: UserViewer; user: UserRow; change: FactorChange };

async function settleAdded(ctx: Ctx, db: Db, change: Change): Promise<Added> {
  const { actor, user } = change;
  await updateHasFactor(db, user.id);
  await note(ctx, db, change);
  await announceSessionChange(db, user.id);
  if (user.second_factor) return {};
  // Whoever is signed in elsewhere got in without it.
  await endSessions(db, user.id, actor.sessionId);
  return { recoveryCodes: await makeRecoveryCodes(ctx, db, user.id) };
}

async function settleRemoved(ctx: Ctx, db: Db, change: Change): Promise<void> {
  const { user } = change;
  if (!(await updateHasFactor(db, user.id))) await replaceRecoveryCodes(db, { userId: user.id, hashes: [] });
  await note(ctx, db, change);
  await announceSessionChange(db, user.id);
}

/** In the audit log, and by mail to the person. */
async function note(ctx: Ctx, db: Db, { actor, user, change }: Change): Promise<void> {
  await recordAction(db, actor, { action: 'auth.change-second-factor', object: user.id, detail: { change } });
  if (user.email) await mailFactorChange(ctx, db, { ...addresseeOf(user, user.email), change });
}
