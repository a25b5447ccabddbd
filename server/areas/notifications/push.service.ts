import {
  NOTIFICATION_DEFAULTS,
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  type PushPace,
} from '@officium/contract/notifications';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import type { addPushDevice, readPush } from '@officium/contract/push';
import { toOffered } from '@officium/i18n/negotiate';
import { refuseNarrowedSession } from '#server/access/recent.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { findActiveViewer } from '#server/areas/auth/user.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { isAllowed, isFetchable } from '#server/outside/public-address.ts';
import { FetchRefused, postPublic } from '#server/outside/public-fetch.ts';
import {
  encryptPush,
  isPushKey,
  makePushKeys,
  padded,
  pushAuthorization,
  type PushKeyPair,
} from '#server/outside/push-message.ts';
import { visibleTo } from './mail.service.ts';
import * as repository from './push.repository.ts';
import { toMessage, toPushDevice } from './push.view.ts';

const OWNER = 'push keys';
/** A push service keeps a message for a device that is off for so long. */
const KEPT_SECONDS = 4 * 3600;

const DEFAULTS = Object.fromEntries(
  NOTIFICATION_EVENTS.map((event) => [event, NOTIFICATION_DEFAULTS[event].push]),
) as Record<NotificationEvent, PushPace>; // Object.fromEntries loses the key type

/** The keys of the installation, made at the first start, and anew when the key that seals them was lost. */
export async function ensurePushKeys({ lastingDb: db, seal }: Ctx): Promise<PushKeyPair> {
  const kept = await repository.getPushKeys(db);
  const privateKey = kept && seal.open(kept.sealedPrivateKey, OWNER);
  if (kept && privateKey) return { publicKey: kept.publicKey, privateKey };
  const fresh = makePushKeys();
  const row = { publicKey: fresh.publicKey, sealedPrivateKey: seal.close(fresh.privateKey, OWNER) };
  await repository.putPushKeys(db, row, kept?.publicKey);
  if (kept) await repository.deleteAllDevices(db);
  const made = await repository.getPushKeys(db);
  const opened = made && seal.open(made.sealedPrivateKey, OWNER);
  if (!made || !opened) throw new Error('the keys for push services cannot be opened');
  return { publicKey: made.publicKey, privateKey: opened };
}

export async function readMyPush(ctx: Ctx, viewer: UserViewer): Promise<ReplyOf<typeof readPush>> {
  const { publicKey } = await ensurePushKeys(ctx);
  return { publicKey, devices: (await repository.findDevices(ctx.db, viewer.id)).map(toPushDevice) };
}

/** https at a public host, as far as that is known before its name is resolved. */
function requirePushService(ctx: Ctx, endpoint: string): void {
  const url = new URL(endpoint); // the contract checked it
  const allow = ctx.config.pushAllow;
  const isSafe = url.protocol === 'https:' || isAllowed(url, allow);
  if (!isSafe || !isFetchable(url, allow)) throw new AppError('push.wrong_address');
}

export async function addDevice(
  ctx: Ctx,
  viewer: UserViewer,
  { endpoint, keys }: InputOf<typeof addPushDevice>['body'],
): Promise<{ id: string }> {
  refuseNarrowedSession(viewer);
  requirePushService(ctx, endpoint);
  const publicKey = Buffer.from(keys.p256dh, 'base64url');
  if (!isPushKey(publicKey)) throw invalid('keys.p256dh', 'keys.p256dh must be a point of P-256');
  return await inTransaction(ctx.db, async (trx) => {
    const authSecret = Buffer.from(keys.auth, 'base64url');
    const device = { userId: viewer.id, sessionId: viewer.sessionId, endpoint, publicKey, authSecret };
    const id = await repository.putDevice(trx, device);
    await repository.deleteExcessDevices(trx, viewer.id);
    return { id };
  });
}

export async function removeDevice(ctx: Ctx, viewer: UserViewer, id: string): Promise<{ removed: true }> {
  refuseNarrowedSession(viewer);
  if (!(await repository.deleteDevice(ctx.db, { userId: viewer.id, id }))) throw notFound();
  return { removed: true };
}

/** Claims what devices have to show. `enqueue` runs in the same transaction, so that nothing claimed is lost. */
export async function claimPushes(
  ctx: Ctx,
  enqueue: (db: Ctx['db'], messages: { notificationId: string; deviceId: string }[]) => Promise<void>,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await enqueue(trx, await repository.claimForDevices(trx, DEFAULTS));
  });
}

async function post(ctx: Ctx, receiver: repository.TargetDevice, message: string): Promise<number> {
  const url = new URL(receiver.endpoint);
  const { publicUrl } = ctx.config;
  const authorization = await pushAuthorization(await ensurePushKeys(ctx), url, {
    subject: publicUrl,
    now: ctx.clock.now(),
  });
  const headers = {
    authorization,
    ttl: String(KEPT_SECONDS),
    urgency: 'normal',
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
  };
  const body = encryptPush(padded(Buffer.from(message)), receiver);
  return await postPublic(url, { headers, body }, { allow: ctx.config.pushAllow });
}

/**
 * Sends one notification to one device, unless it was read or hidden meanwhile. Deletes a device whose subscription is
 * gone. Returns whether to try again.
 */
export async function push(
  ctx: Ctx,
  { notificationId, deviceId }: { notificationId: string; deviceId: string },
): Promise<'done' | 'again'> {
  const receiver = await repository.getReceiver(ctx.db, deviceId);
  const viewer = receiver && (await findActiveViewer(ctx.db, receiver.userId));
  if (!viewer) return 'done';
  const [row] = await visibleTo(ctx, ctx.db, viewer, [notificationId]);
  if (!row) return 'done';
  const site = ctx.site.current();
  const message = toMessage(row, { locale: toOffered(viewer.locale, site), siteName: site.name });
  try {
    const status = await post(ctx, receiver, message);
    if (status < 300) await repository.noteReached(ctx.db, receiver.id);
    if (status < 300) return 'done';
    if (status === 429 || status >= 500) return 'again';
    // Gone, says the service. Other refusals concern this message only.
    if (status === 404 || status === 410) await repository.deleteReceiver(ctx.db, receiver);
    else ctx.log.warn({ status, host: new URL(receiver.endpoint).host }, 'push message refused');
    return 'done';
  } catch (error) {
    // The log gets no address: who knows it can send to the device.
    ctx.log.warn({ host: new URL(receiver.endpoint).host, reason: reasonOf(error) }, 'push service not reached');
    return 'again';
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof FetchRefused) return error.message;
  return error instanceof Error ? error.name : typeof error;
}
