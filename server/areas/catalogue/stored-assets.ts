import { createHash } from 'node:crypto';
import { type Files, storePatience } from '#server/outside/files.ts';
import type { PictureSize } from '#server/outside/picture-decoder.ts';
import { pictureSize } from '#server/outside/picture.ts';

const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
};
const MIMES = new Map(Object.entries(EXTENSIONS).map(([mime, extension]) => [extension, mime]));

/** Images by their path in the folder they come from, `/` between its parts. */
export type Asset = { bytes: Uint8Array; mime: string };
export type Assets = Map<string, Asset>;

/** A picture of the content as it is kept and served: its key is made of its bytes, so it never changes. */
export type StoredAsset = {
  key: string;
  mime: string;
  bytes: number;
  hash: string;
  url: string;
  size: PictureSize | undefined;
};

/** The address on this site a key is served at. */
export function assetUrl(key: string): string {
  return `/content-assets/${key}`;
}

/** The name in the file store; also tells whether a key is one of ours. */
export function fileOf(key: string): { file: string; mime: string } | undefined {
  const [, extension = ''] = /^[0-9a-f]{64}\.([a-z]+)$/.exec(key) ?? [];
  const mime = MIMES.get(extension);
  return mime === undefined ? undefined : { file: `content-assets/${key}`, mime };
}

/**
 * Puts the pictures of a content folder into the file store; those that are there already stay. By their path. Without a
 * store they are only named as they would be.
 */
export async function storeAssets(files: Files | undefined, assets: Assets): Promise<Map<string, StoredAsset>> {
  const stored = new Map<string, StoredAsset>();
  for (const [path, { bytes, mime }] of assets) {
    const extension = EXTENSIONS[mime];
    if (extension === undefined) continue;
    const hash = createHash('sha256').update(bytes).digest('hex');
    const key = `${hash}.${extension}`;
    const file = `content-assets/${key}`;
    const signal = storePatience();
    if (files && !(await files.exists(file, signal))) await files.put(file, bytes, mime, signal);
    const size = await pictureSize(bytes);
    stored.set(path, { key, mime, bytes: bytes.byteLength, hash, url: assetUrl(key), size });
  }
  return stored;
}
