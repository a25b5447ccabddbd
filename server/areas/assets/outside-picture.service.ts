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
import { deleteOver, getKept, putKept } from './outside-picture.repository.ts';

const GOOD_FOR_SECONDS = 7 * 24 * 3600;
const BAD_FOR_SECONDS = 600;
/** Some two gigabytes. */
const MOST_KEPT = 20_000;
/** Fetches of uncached pictures per client address; one address may be a whole office. */
const FETCHES = { max: 600, windowSeconds: 300 };
/** A request that waits longer than this in the queue gets no picture. */
const PATIENCE_MS = 5_000;
const STORE_MS = 4_000;

export type OutsidePictureStore = (
  ctx: Ctx,
  path: { name: string; address: string },
  origin: string | undefined,
) => Promise<Uint8Array>;

/**
 * Pictures of other hosts as WebP, fetched once for many readers: four at once, two of a host, kept for a week, and for
 * ten minutes that there is none. 404 for what cannot be had, and for addresses that no page of ours has written.
 */
export function createOutsidePictures(options: FetchOptions): OutsidePictureStore {
  const underWay = new Map<string, Promise<Uint8Array | undefined>>();
  const inTurn = takeTurns({ running: 4, waiting: 60 });
  const inTurnOfHost = takeTurnsByKey({ running: 2, waiting: 20 });
  // A process of its own: what strangers serve holds up nobody's upload.
  const pictures = openPictures();

  const fetchAndKeep = async (ctx: Ctx, { name, url, edge }: OutsidePicture): Promise<Uint8Array | undefined> => {
    const picture = await fetchOne(url, edge).catch((error: unknown) => {
      ctx.log.info({ err: error, host: url.host }, 'outside picture not fetched');
      return undefined;
    });
    if (!picture) {
      await putKept(ctx.lastingDb, { name, isThere: false, seconds: BAD_FOR_SECONDS });
      return undefined;
    }
    try {
      await ctx.files.put(fileKey(name), picture, 'image/webp', AbortSignal.timeout(STORE_MS));
      await putKept(ctx.lastingDb, { name, isThere: true, seconds: GOOD_FOR_SECONDS });
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

  const fetchInTurn = async (ctx: Ctx, picture: OutsidePicture): Promise<Uint8Array | undefined> => {
    const asked = performance.now();
    const isLate = () => performance.now() - asked > PATIENCE_MS;
    try {
      return await inTurnOfHost(
        picture.url.host,
        async () => await inTurn(async () => (isLate() ? undefined : await fetchAndKeep(ctx, picture))),
      );
    } catch (error) {
      if (error instanceof AppError && error.code === 'server.unavailable') return undefined; // too many wait already
      throw error;
    }
  };

  return async (ctx, path, origin) => {
    const picture = readPath(ctx.seal.hash, path);
    if (!picture) throw notFound();
    const { name } = picture;
    const kept = await getKept(ctx.db, name);
    if (kept && !kept.isThere) throw notFound();
    // The file goes before or after its row, and then it is fetched again.
    const file = kept && (await ctx.files.get(fileKey(name), AbortSignal.timeout(STORE_MS)).catch(() => undefined));
    if (file) return file;
    let fetching = underWay.get(name);
    if (!fetching) {
      await takeAddressLimit(ctx, 'outside-picture', origin, FETCHES);
      fetching = underWay.get(name) ?? fetchInTurn(ctx, picture).finally(() => underWay.delete(name));
      underWay.set(name, fetching);
    }
    const fetched = await fetching;
    if (!fetched) throw notFound();
    return fetched;
  };
}

/** Lets go of pictures that were kept long enough. */
export async function sweepOutsidePictures(ctx: Ctx): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const keys = (await deleteOver(trx, MOST_KEPT)).map(fileKey);
    if (keys.length > 0) await ctx.jobs.enqueue(trx, removeFilesJob, { keys });
  });
}
