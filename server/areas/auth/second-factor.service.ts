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
import { countingAttempts, makeRecoveryCodes, useAppCode } from './factor-proof.service.ts';
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

export async function getMyFactors(ctx: Ctx, viewer: UserViewer): Promise<ReplyOf<typeof readSecondFactor>> {
  const [{ totp, recoveryCodes }, passkeys] = await Promise.all([
    getFactors(ctx.db, viewer.id),
    findPasskeys(ctx.db, viewer.id),
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

/** Creates a secret for an authenticator app. It takes effect when its first code is confirmed. */
export async function startApp(ctx: Ctx, viewer: UserViewer): Promise<ReplyOf<typeof startTotp>> {
  requireRecentSignIn(viewer);
  const bytes = randomBytes(TOTP_SECRET_BYTES);
  if (!(await insertTotp(ctx.db, { userId: viewer.id, secret: ctx.seal.close(bytes, viewer.id) })))
    throw new AppError('request.conflict');
  const secret = base32(bytes);
  const uri = otpauthUri({ secret, issuer: ctx.site.current().name, account: viewer.email });
  const { default: QRCode } = await import('qrcode');
  const drawing = await QRCode.toString(uri, { type: 'svg', margin: 2, errorCorrectionLevel: 'M' });
  return { secret, uri, qrCode: `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}` };
}

export async function confirmApp(ctx: Ctx, viewer: UserViewer, code: string): Promise<Added> {
  requireRecentSignIn(viewer);
  let added: Added = {};
  const isRight = await countingAttempts(ctx, viewer.id, () =>
    changing(ctx, viewer, async (trx, user) => {
      if (!(await useAppCode(ctx, trx, { userId: viewer.id, code, confirms: true }))) return false;
      added = await settleAdded(ctx, trx, { viewer, user, change: 'app_added' });
      return true;
    }),
  );
  if (!isRight) throw new AppError('auth.wrong_proof');
  return added;
}

export async function removeApp(ctx: Ctx, viewer: UserViewer): Promise<void> {
  requireRecentSignIn(viewer);
  await changing(ctx, viewer, async (trx, user) => {
    if (!(await deleteTotp(trx, viewer.id))) throw notFound();
    await settleRemoved(ctx, trx, { viewer, user, change: 'app_removed' });
  });
}

export async function renewCodes(ctx: Ctx, viewer: UserViewer): Promise<string[]> {
  requireRecentSignIn(viewer);
  return await changing(ctx, viewer, async (trx, user) => {
    if (!user.second_factor) throw new AppError('auth.no_such_proof');
    await recordChange(ctx, trx, { viewer, user, change: 'codes_renewed' });
    return await makeRecoveryCodes(ctx, trx, viewer.id);
  });
}

export async function startMyPasskey(ctx: Ctx, viewer: UserViewer): Promise<{ options: Record<string, unknown> }> {
  requireRecentSignIn(viewer);
  if ((await getFactors(ctx.db, viewer.id)).passkeys >= MAX_PASSKEYS) throw new AppError('request.conflict');
  return await registrationOptions(ctx, viewer);
}

export async function addMyPasskey(
  ctx: Ctx,
  viewer: UserViewer,
  { name, passkey }: InputOf<typeof addPasskey>['body'],
): Promise<Added & { id: string }> {
  requireRecentSignIn(viewer);
  const made = await readNewPasskey(ctx, viewer.id, passkey);
  if (!made) throw new AppError('auth.wrong_proof');
  const id = newId();
  return await changing(ctx, viewer, async (trx, user) => {
    if ((await getFactors(trx, viewer.id)).passkeys >= MAX_PASSKEYS) throw new AppError('request.conflict');
    const { credentialId, publicKey, counter, transports } = made;
    const row = {
      id,
      user_id: viewer.id,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      transports,
      name,
    };
    if (!(await insertPasskey(trx, row))) throw new AppError('request.conflict');
    return { id, ...(await settleAdded(ctx, trx, { viewer, user, change: 'passkey_added' })) };
  });
}

export async function renameMyPasskey(ctx: Ctx, viewer: UserViewer, to: { id: string; name: string }): Promise<void> {
  refuseNarrowedSession(viewer);
  if (!(await updatePasskeyName(ctx.db, { ...to, userId: viewer.id }))) throw notFound();
}

export async function removeMyPasskey(ctx: Ctx, viewer: UserViewer, id: string): Promise<void> {
  requireRecentSignIn(viewer);
  await changing(ctx, viewer, async (trx, user) => {
    if (!(await deletePasskey(trx, { id, userId: viewer.id }))) throw notFound();
    await settleRemoved(ctx, trx, { viewer, user, change: 'passkey_removed' });
  });
}

/** Removes all second factors of a user who lost them and ends their sessions. `db` is a transaction. */
export async function resetFactors(ctx: Ctx, db: Db, viewer: UserViewer | 'system', userId: string): Promise<void> {
  const user = await lockUser(db, userId);
  if (!user) throw notFound();
  await deleteFactors(db, userId);
  await updateHasFactor(db, userId);
  await endSessions(db, userId);
  await recordChange(ctx, db, { viewer, user, change: 'reset' });
}

/** Runs a change of the viewer's factors under a lock on the account and drops its cached session on this node. */
async function changing<T>(ctx: Ctx, viewer: UserViewer, change: (trx: Db, user: UserRow) => Promise<T>): Promise<T> {
  const done = await inTransaction(ctx.db, async (trx) => {
    const user = await lockUser(trx, viewer.id);
    if (!user) throw new AppError('auth.required');
    return await change(trx, user);
  });
  ctx.sessions.forget(viewer.id);
  return done;
}

type Change = { viewer: UserViewer; user: UserRow; change: FactorChange };

async function settleAdded(ctx: Ctx, db: Db, change: Change): Promise<Added> {
  const { viewer, user } = change;
  await updateHasFactor(db, user.id);
  await recordChange(ctx, db, change);
  await announceSessionChange(db, user.id);
  if (user.second_factor) return {};
  // Other sessions were opened without this factor.
  await endSessions(db, user.id, viewer.sessionId);
  return { recoveryCodes: await makeRecoveryCodes(ctx, db, user.id) };
}

async function settleRemoved(ctx: Ctx, db: Db, change: Change): Promise<void> {
  const { user } = change;
  if (!(await updateHasFactor(db, user.id))) await replaceRecoveryCodes(db, { userId: user.id, hashes: [] });
  await recordChange(ctx, db, change);
  await announceSessionChange(db, user.id);
}

/** Records the change in the audit log and mails the user. */
type NotedChange = Omit<Change, 'viewer'> & { viewer: UserViewer | 'system' };

async function recordChange(ctx: Ctx, db: Db, { viewer, user, change }: NotedChange): Promise<void> {
  await recordAction(db, viewer, { action: 'auth.change-second-factor', object: user.id, detail: { change } });
  if (user.email) await mailFactorChange(ctx, db, { ...addresseeOf(user, user.email), change });
}
