import type { PictureSize } from '#server/outside/picture-decoder.ts';

export const EXTENSIONS: Record<string, string> = {
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
