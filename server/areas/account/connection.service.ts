import { CONNECTION_REST_DAYS as REST_DAYS, type listConnections } from '@officium/contract/account';
import type { InputOf } from '@officium/contract/endpoint';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction, type Db } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { takeLimit } from '#server/limits/limits.ts';
import { askOutcome, canMove, type Status } from './connection.policy.ts';
import {
  findConnections,
  getConnection,
  hasConnection,
  insertConnection,
  lockConnection,
  lockPair,
  updateConnection,
} from './connection.repository.ts';
import type { ConnectionRow } from './connection.view.ts';

const REQUESTS = { max: 100, windowSeconds: 3600 };

/** Is this person's profile opened to the viewer by a connection? */
export async function isConnectedTo(ctx: Ctx, viewer: UserViewer, peerId: string): Promise<boolean> {
  return await hasConnection(ctx.db, { userId: viewer.id, peerId });
}

/** One's own connections; nobody lists another's. */
export async function listConnectionsOf(
  ctx: Ctx,
  actor: UserViewer,
  { id, ...asked }: InputOf<typeof listConnections>['query'] & { id: string },
): Promise<{ rows: ConnectionRow[]; total: number }> {
  if (id !== 'me' && id !== actor.id) throw new AppError('auth.forbidden');
  return await findConnections(ctx.db, { userId: actor.id, ...asked });
}

/** By its own id or the peer's. */
export async function readConnectionOf(ctx: Ctx, actor: UserViewer, id: string): Promise<ConnectionRow> {
  return await mustGet(ctx.db, actor, id);
}

async function mustGet(db: Db, actor: UserViewer, id: string): Promise<ConnectionRow> {
  const row = await getConnection(db, { userId: actor.id, id });
  if (!row) throw notFound();
  return row;
}

/** Asks a person to connect, or accepts when they have asked already. */
export async function ask(ctx: Ctx, actor: UserViewer, peerId: string): Promise<ConnectionRow> {
  if (peerId === actor.id) throw invalid('peerId', 'You cannot connect with yourself');
  await takeLimit(ctx, `connect:${actor.id}`, REQUESTS);
  const pair = { userId: actor.id, peerId };
  return await inTransaction(ctx.db, async (trx) => {
    if (!(await lockPair(trx, pair))) throw notFound();
    if (!(await insertConnection(trx, pair))) await askAgain(trx, pair);
    return await mustGet(trx, actor, peerId);
  });
}

async function askAgain(trx: Db, pair: { userId: string; peerId: string }): Promise<void> {
  const row = await lockConnection(trx, { ...pair, restDays: REST_DAYS });
  if (!row) throw new AppError('account.connection_move');
  const outcome = askOutcome(row.status, row.asker_id === pair.userId ? 'asker' : 'asked', row.is_resting);
  if (outcome === 'refused') throw new AppError('account.connection_move');
  if (outcome === 'wait') throw new AppError('account.connection_wait');
  const askerId = outcome === 'accepted' ? row.asker_id : pair.userId;
  await updateConnection(trx, { id: row.id, status: outcome, askerId });
}

/** Answers, takes back or ends a connection. */
export async function move(
  ctx: Ctx,
  actor: UserViewer,
  { peerId, status }: { peerId: string; status: Status },
): Promise<ConnectionRow> {
  return await inTransaction(ctx.db, async (trx) => {
    const row = await lockConnection(trx, { userId: actor.id, peerId, restDays: REST_DAYS });
    if (!row && !(await lockPair(trx, { userId: actor.id, peerId }))) throw notFound();
    if (!row || !canMove(row.status, status, row.asker_id === actor.id ? 'asker' : 'asked'))
      throw new AppError('account.connection_move');
    await updateConnection(trx, { id: row.id, status, askerId: row.asker_id });
    return await mustGet(trx, actor, peerId);
  });
}
