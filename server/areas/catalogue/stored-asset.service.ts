import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { registerFile } from '#server/areas/assets/stored-file.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { storageTimeout } from '#server/outside/files.ts';
import { mediaOfMime } from '#server/outside/media-type.data.ts';
import { pictureSize } from '#server/outside/picture.ts';
import { type Asset, type Assets, assetUrl, EXTENSIONS, isWords, type StoredAsset } from './stored-asset.view.ts';

/**
 * Stores the pictures and media of a content folder unless they exist, and returns them by path. Without `to`, it only
 * computes their keys.
 */
export async function storeAssets(
  to: Pick<Ctx, 'files' | 'lastingDb'> | undefined,
  assets: Assets,
  userId: string | null = null,
): Promise<Map<string, StoredAsset>> {
  const stored = new Map<string, StoredAsset>();
  for (const [path, asset] of assets) {
    const extension = EXTENSIONS[asset.mime] ?? mediaOfMime(asset.mime)?.extension;
    if (extension === undefined) continue;
    const { hash, bytes } = await measure(asset);
    const key = `${hash}.${extension}`;
    if (to) {
      await registerFile(to, { key, bytes, userId });
      await store(to.files, `content-assets/${key}`, asset);
    }
    const size = asset.bytes && (await pictureSize(asset.bytes));
    const text = asset.open && isWords({ mime: asset.mime, bytes }) ? await readText(asset.open) : undefined;
    stored.set(path, { key, mime: asset.mime, bytes, hash, url: assetUrl(key), size, text });
  }
  return stored;
}

async function measure(asset: Asset): Promise<{ hash: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const part of asset.open ? await asset.open() : [asset.bytes]) {
    hash.update(part as Uint8Array); // files give bytes
    bytes += (part as Uint8Array).byteLength; // likewise
  }
  return { hash: hash.digest('hex'), bytes };
}

async function store(files: Ctx['files'], file: string, asset: Asset): Promise<void> {
  const signal = storageTimeout();
  if (await files.exists(file, signal)) return;
  if (asset.open) await files.putStream(file, await asset.open(), asset.mime);
  else await files.put(file, asset.bytes, asset.mime, signal);
}

async function readText(open: NonNullable<Asset['open']>): Promise<string> {
  return (await buffer(await open())).toString();
}
