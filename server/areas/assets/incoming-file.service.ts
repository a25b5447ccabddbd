import { setTimeout } from 'node:timers/promises';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction, newId } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import * as repository from './incoming-file.repository.ts';
import { putStoredFile, type StoredFile } from './stored-file.repository.ts';

const RENEW_MS = 60_000;
const RETRY_SECONDS = 10;
/** The longest that a request waits for the deletion of what it received. */
const DISCARD_MS = 500;

/** A file that arrives: its temporary key, and what registers it under the key of its content. */
export type Incoming = { temporary: string; settle(file: Omit<StoredFile, 'userId'>): Promise<void> };
/** At most `bytes` will arrive. `atOnce` limits the uploads of the person in all processes. */
export type Reservation = { userId: string; bytes: number; atOnce: number };

export const temporaryKey = (id: string) => `uploads/${id}`;

/**
 * Reserves space for a file, then runs `receive`, which stores it. Throws 413 when the quota of the person or of the
 * installation is used up, and 429 above `atOnce`. Takes as long as the upload, so call it outside transactions.
 */
export async function withSpace<Result>(
  ctx: Ctx,
  wanted: Reservation,
  receive: (incoming: Incoming) => Promise<Result>,
): Promise<Result> {
  const { lastingDb: db } = ctx;
  const id = await reserve(ctx, wanted);
  const renewing = setInterval(() => {
    repository.renewIncoming(db, id).catch((err: unknown) => ctx.log.warn({ err }, 'upload not renewed'));
  }, RENEW_MS);
  const settle: Incoming['settle'] = async (file) => {
    await inTransaction(db, async (trx) => {
      await repository.freeIncoming(trx, id);
      const { key, bytes, isPrivate = false } = file; // callers pass objects with more fields
      await putStoredFile(trx, { key, bytes, isPrivate, userId: wanted.userId });
    });
  };
  try {
    return await receive({ temporary: temporaryKey(id), settle });
  } finally {
    clearInterval(renewing);
    // Otherwise the sweep does it. A store that does not respond must not delay the refusal.
    const discarding = discard(ctx, id).catch((err: unknown) => ctx.log.warn({ err }, 'upload not discarded'));
    await Promise.race([discarding, setTimeout(DISCARD_MS, undefined, { ref: false })]);
  }
}

/** Throws as `withSpace`. The transaction holds the lock of the space, so that two uploads cannot take the same. */
export async function requireSpace(
  db: Db,
  { mediaSpace }: Ctx['config'],
  { userId, bytes, atOnce }: Reservation,
): Promise<void> {
  await repository.lockSpace(db);
  const { own, total, arriving } = await repository.getSpace(db, userId);
  if (arriving >= atOnce) throw new AppError('request.too_many', { retryAfterSeconds: RETRY_SECONDS });
  if (own + bytes > mediaSpace.aPerson) throw new AppError('content.quota_reached');
  if (total + bytes > mediaSpace.total) throw new AppError('content.storage_full');
}

async function reserve({ lastingDb, config }: Ctx, wanted: Reservation): Promise<string> {
  return await inTransaction(lastingDb, async (db) => {
    await requireSpace(db, config, wanted);
    const id = newId();
    await repository.insertIncoming(db, { id, bytes: wanted.bytes, userId: wanted.userId });
    return id;
  });
}

async function discard(ctx: Ctx, id: string): Promise<void> {
  for (const key of [temporaryKey(id), `${temporaryKey(id)}.part`]) await ctx.files.delete(key);
  await repository.deleteIncoming(ctx.lastingDb, id);
}

/** Longer than an interruption of the database that an upload survives. */
const LEFT_MINUTES = 60;
const BATCH = 100;

/** Deletes what killed processes had received. */
export async function sweepIncomingFiles(ctx: Ctx): Promise<void> {
  for (;;) {
    const ids = await repository.findLeftBehind(ctx.db, { minutes: LEFT_MINUTES, limit: BATCH });
    for (const id of ids) await discard(ctx, id);
    if (ids.length < BATCH) return;
  }
}
