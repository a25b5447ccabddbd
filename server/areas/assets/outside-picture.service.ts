import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { takeAddressLimit } from '#server/limits/limits.ts';
import { removeFilesJob } from '#server/jobs/remove-files.ts';
import { openPictures } from '#server/outside/picture.ts';
import { isFetchable } from '#server/outside/public-address.ts';
import type { FetchOptions } from '#server/outside/public-fetch.ts';
import { takeTurns, takeTurnsByKey } from '#server/outside/turns.ts';
import { fileKey, type OutsidePicture, readPath } from './outside-picture.policy.ts';
import { deleteExpired, getStored, putStored } from './outside-picture.repository.ts';

const KEEP_SECONDS = 7 * 24 * 3600;
const FAILURE_SECONDS = 600;
/** About two gigabytes. */
const MAX_STORED = 20_000;
/** Fetches of uncached pictures per client address; one address may be a whole office. */
const FETCHES = { max: 600, windowSeconds: 300 };
/** A request that waits longer than this in the queue gets no picture. */
const MAX_QUEUE_MS = 5_000;
const STORE_MS = 4_000;

export type OutsidePictureStore = (
  ctx: Ctx,
  path: { name: string; address: string },
  origin: string | undefined,
) => Promise<Uint8Array>;

/** Runs fetches four at a time, two per host; undefined when the queue is full or takes too long. */
function takeFetchTurns() {
  const inTurn = takeTurns({ running: 4, waiting: 60 });
  const inTurnOfHost = takeTurnsByKey({ running: 2, waiting: 20 });
  return async <T>(host: string, work: () => Promise<T | undefined>): Promise<T | undefined> => {
    const startedAt = performance.now();
    const isLate = () => performance.now() - startedAt > MAX_QUEUE_MS;
    try {
      return await inTurnOfHost(host, async () => await inTurn(async () => (isLate() ? undefined : await work())));
    } catch (error) {
      if (error instanceof AppError && error.code === 'server.unavailable') return undefined; // the queue is full
      throw error;
    }
  };
}

/** The stored picture, if its file is there; 404 while a failure is remembered. */
async function readKept(ctx: Ctx, name: string): Promise<Uint8Array | undefined> {
  const stored = await getStored(ctx.db, name);
  if (stored && !stored.isThere) throw notFound();
  // The file can be deleted before or after its row; the picture is then fetched again.
  return stored && (await ctx.files.get(fileKey(name), AbortSignal.timeout(STORE_MS)).catch(() => undefined));
}

/**
 * Serves pictures from other hosts as WebP. Fetches four at a time, two per host, and keeps pictures for a week and
 * failures for ten minutes. 404 for unavailable pictures and for addresses that our pages did not write.
 */
export function createOutsidePictures(options: FetchOptions): OutsidePictureStore {
  const inFlight = new Map<string, Promise<Uint8Array | undefined>>();
  const inTurn = takeFetchTurns();
  // A separate process, so that outside pictures cannot delay uploads.
  const pictures = openPictures();

  const fetchAndKeep = async (ctx: Ctx, { name, url, edge }: OutsidePicture): Promise<Uint8Array | undefined> => {
    const picture = await fetchOne(url, edge).catch((error: unknown) => {
      ctx.log.info({ err: error, host: url.host }, 'outside picture not fetched');
      return undefined;
    });
    if (!picture) {
      await putStored(ctx.lastingDb, { name, isThere: false, seconds: FAILURE_SECONDS });
      return undefined;
    }
    try {
      await ctx.files.put(fileKey(name), picture, 'image/webp', AbortSignal.timeout(STORE_MS));
      await putStored(ctx.lastingDb, { name, isThere: true, seconds: KEEP_SECONDS });
    } catch (error) {
      ctx.log.warn({ err: error }, 'outside picture not stored');
    }
    return picture;
  };

  const fetchOne = async (url: URL, edge: number): Promise<Buffer | undefined> => {
    if (!isFetchable(url, options.allow)) return undefined;
    const { fetchPicture } = await import('#server/outside/picture-fetch.ts'); // its client is large
    const shown = await pictures.textPicture(await fetchPicture(url, options), edge);
    return shown?.data;
  };

  return async (ctx, path, origin) => {
    const picture = readPath(ctx.seal.hash, path);
    if (!picture) throw notFound();
    const { name } = picture;
    const file = await readKept(ctx, name);
    if (file) return file;
    let fetching = inFlight.get(name);
    if (!fetching) {
      await takeAddressLimit(ctx, 'outside-picture', origin, FETCHES);
      fetching = inFlight.get(name);
    }
    if (!fetching) {
      // Another request may have stored it since the first look.
      const fetchUnlessKept = async () =>
        (await readKept(ctx, name)) ?? (await inTurn(picture.url.host, () => fetchAndKeep(ctx, picture)));
      fetching = fetchUnlessKept().finally(() => inFlight.delete(name));
      inFlight.set(name, fetching);
    }
    const fetched = await fetching;
    if (!fetched) throw notFound();
    return fetched;
  };
}

/** Deletes expired pictures. */
export async function sweepOutsidePictures(ctx: Ctx): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const keys = (await deleteExpired(trx, MAX_STORED)).map(fileKey);
    if (keys.length > 0) await ctx.jobs.enqueue(trx, removeFilesJob, { keys });
  });
}
