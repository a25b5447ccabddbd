import { createHash } from 'node:crypto';
import { type Files, storageTimeout } from '#server/outside/files.ts';
import { pictureSize } from '#server/outside/picture.ts';
import { type Assets, assetUrl, EXTENSIONS, type StoredAsset } from './stored-asset.view.ts';

/**
 * Stores the pictures of a content folder unless they exist, and returns them by path. Without `files`, it only
 * computes their keys.
 */
export async function storeAssets(files: Files | undefined, assets: Assets): Promise<Map<string, StoredAsset>> {
  const stored = new Map<string, StoredAsset>();
  for (const [path, { bytes, mime }] of assets) {
    const extension = EXTENSIONS[mime];
    if (extension === undefined) continue;
    const hash = createHash('sha256').update(bytes).digest('hex');
    const key = `${hash}.${extension}`;
    const file = `content-assets/${key}`;
    const signal = storageTimeout();
    if (files && !(await files.exists(file, signal))) await files.put(file, bytes, mime, signal);
    const size = await pictureSize(bytes);
    stored.set(path, { key, mime, bytes: bytes.byteLength, hash, url: assetUrl(key), size });
  }
  return stored;
}
