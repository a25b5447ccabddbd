import { CONNECTION_REST_DAYS as REST_DAYS, type listConnections } from '@officium/contract/account';
import type { InputOf } from '@officium/contract/endpoint';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { takeLimit } from '#server/limits/limits.ts';
import { notify } from '#server/notify/notify.ts';
import { requestOutcome, canMove, type Status } from './connection.policy.ts';
import {
  findConnections,
  getConnection,
  hasConnection,
  insertConnection,
  lockConnection,
  lockPair,
  type ConnectionPair,
  updateConnection,
} from './connection.repository.ts';
import type { ConnectionRow } from './connection.view.ts';

const REQUESTS = { max: 100, windowSeconds: 3600 };

/** True if a connection opens this user's profile to the viewer. */
export async function isConnectedTo(ctx: Ctx, viewer: UserViewer, peerId: string): Promise<boolean> {
  return await hasConnection(ctx.db, { userId: viewer.id, peerId });
}

/** The viewer's own connections; 403 for another user's. */
export async function listConnectionsOf(
  ctx: Ctx,
  viewer: UserViewer,
  { id, ...query }: InputOf<typeof listConnections>['query'] & { id: string },
): Promise<{ rows: ConnectionRow[]; total: number }> {
  if (id !== 'me' && id !== viewer.id) throw new AppError('auth.forbidden');
  return await findConnections(ctx.db, { userId: viewer.id, ...query });
}

/** Reads a connection by its own id or the other user's. */
export async function readConnectionOf(ctx: Ctx, viewer: UserViewer, id: string): Promise<ConnectionRow> {
  return await requireConnection(ctx.db, viewer, id);
}

async function requireConnection(db: Db, viewer: UserViewer, id: string): Promise<ConnectionRow> {
  const row = await getConnection(db, { userId: viewer.id, id });
  if (!row) throw notFound();
  return row;
}

/** Requests a connection, or accepts the other user's pending request. */
export async function ask(ctx: Ctx, viewer: UserViewer, peerId: string): Promise<ConnectionRow> {
  if (peerId === viewer.id) throw invalid('peerId', 'You cannot connect with yourself');
  await takeLimit(ctx, `connect:${viewer.id}`, REQUESTS);
  const pair = { userId: viewer.id, peerId };
  return await inTransaction(ctx.db, async (trx) => {
    if (!(await lockPair(trx, pair))) throw notFound();
    const requested = await insertConnection(trx, pair);
    if (requested) await notifyOfConnection(trx, pair, { id: requested.id, status: 'pending', askerId: viewer.id });
    else await requestAgain(trx, pair);
    return await requireConnection(trx, viewer, peerId);
  });
}

type Change = { id: string; status: Status; askerId: string };

/** Changes a connection, and notifies the recipient of a request or the requester of its acceptance. */
async function change(trx: Db, pair: ConnectionPair, changed: Change): Promise<void> {
  await updateConnection(trx, changed);
  await notifyOfConnection(trx, pair, changed);
}

async function notifyOfConnection(
  trx: Db,
  { userId, peerId }: ConnectionPair,
  { id, status, askerId }: Change,
): Promise<void> {
  const recipientId = askerId === userId ? peerId : userId;
  if (status === 'pending') await notify(trx, [{ userId: recipientId, event: 'connection_request', objectId: id }]);
  if (status === 'accepted') await notify(trx, [{ userId: askerId, event: 'connection_accepted', objectId: id }]);
}

async function requestAgain(trx: Db, pair: ConnectionPair): Promise<void> {
  const row = await lockConnection(trx, { ...pair, restDays: REST_DAYS });
  if (!row) throw new AppError('account.connection_move');
  const outcome = requestOutcome(row.status, row.asker_id === pair.userId ? 'requester' : 'recipient', row.is_resting);
  if (outcome === 'refused') throw new AppError('account.connection_move');
  if (outcome === 'wait') throw new AppError('account.connection_wait');
  const askerId = outcome === 'accepted' ? row.asker_id : pair.userId;
  await change(trx, pair, { id: row.id, status: outcome, askerId });
}

/** Accepts, declines, cancels or removes a connection. */
export async function move(
  ctx: Ctx,
  viewer: UserViewer,
  { peerId, status }: { peerId: string; status: Status },
): Promise<ConnectionRow> {
  return await inTransaction(ctx.db, async (trx) => {
    const pair = { userId: viewer.id, peerId };
    const row = await lockConnection(trx, { ...pair, restDays: REST_DAYS });
    if (!row && !(await lockPair(trx, pair))) throw notFound();
    if (!row || !canMove(row.status, status, row.asker_id === viewer.id ? 'requester' : 'recipient'))
      throw new AppError('account.connection_move');
    await change(trx, pair, { id: row.id, status, askerId: row.asker_id });
    return await requireConnection(trx, viewer, peerId);
  });
}
