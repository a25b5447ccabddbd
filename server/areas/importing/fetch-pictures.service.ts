import { basename } from 'node:path';
import { type Asset, type Assets, fileOf } from '#server/areas/catalogue/stored-asset.view.ts';
import type { Ctx } from '#server/ctx.ts';
import { storageTimeout } from '#server/outside/files.ts';
import { takeTurns } from '#server/outside/turns.ts';
import type { ExportFinding } from './contentful-export.format.ts';
import { findPictureKeys } from './fetch.repository.ts';
import { imageType } from './image-type.format.ts';

/** Concurrent downloads from the platform. */
const RUNNING = 4;

/**
 * Fetches the pictures of an export, by path in the folder. A picture fetched before comes from file storage, because
 * its path contains its version. A picture that cannot be fetched is reported and replaced by its alternative text.
 */
export async function fetchPictures(
  ctx: Ctx,
  wanted: ReadonlyMap<string, string>,
): Promise<{ pictures: Assets; missing: ExportFinding[] }> {
  const pictures: Assets = new Map();
  const missing: ExportFinding[] = [];
  const known = await findPictureKeys(ctx.db, [...wanted.keys()]);
  const inTurn = takeTurns({ running: RUNNING, waiting: wanted.size });
  await Promise.all(
    [...wanted].map(async ([path, url]) => {
      const found = (await keptPicture(ctx, known.get(path))) ?? (await inTurn(async () => await fetchOne(ctx, url)));
      if (!('problem' in found)) pictures.set(path, found);
      else missing.push({ id: basename(path), field: 'fields.file', message: `${url}: ${found.problem}` });
    }),
  );
  return { pictures, missing };
}

async function keptPicture(ctx: Ctx, key: string | undefined): Promise<Asset | undefined> {
  const stored = key === undefined ? undefined : fileOf(key);
  const bytes = stored && (await ctx.files.get(stored.file, storageTimeout()));
  return bytes && { bytes, mime: stored.mime };
}

async function fetchOne(ctx: Ctx, address: string): Promise<Asset | { problem: string }> {
  const url = URL.parse(address);
  if (!url) return { problem: 'no address' };
  try {
    const { fetchPicture } = await import('#server/outside/picture-fetch.ts'); // imported on demand because the HTTP client is large
    const bytes = await fetchPicture(url, { allow: ctx.config.linkPreviewAllow });
    const mime = await imageType(bytes);
    return mime === undefined ? { problem: 'not a supported picture' } : { bytes, mime };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
