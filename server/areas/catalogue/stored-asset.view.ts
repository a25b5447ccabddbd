import type { Readable } from 'node:stream';
import { MEDIA_TYPES } from '#server/outside/media-type.data.ts';
import type { PictureSize } from '#server/outside/picture-decoder.ts';

/** Extensions of pictures by media type. */
export const EXTENSIONS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
};
const MIMES = new Map([
  ...Object.entries(EXTENSIONS).map(([mime, extension]) => [extension, mime] as const),
  ...MEDIA_TYPES.map(({ extension, mime }) => [extension, mime] as const),
]);

/** Pictures and media by their path in the content folder, separated by `/`. */
export type Asset =
  | { mime: string; bytes: Uint8Array; open?: undefined }
  // Media are read when needed, because a recording does not fit into memory.
  | { mime: string; open: () => Promise<Readable>; bytes?: undefined };
export type Assets = Map<string, Asset>;

/** A stored picture or media file of the content. Its key is derived from its bytes, so it never changes. */
export type StoredAsset = {
  key: string;
  mime: string;
  bytes: number;
  hash: string;
  url: string;
  size: PictureSize | undefined;
  /** The content of captions and transcripts, which pages show as text. */
  text?: string | undefined;
};

/** Whether a file can be the captions or the transcript of a recording. */
export const isWords = ({ mime, bytes }: { mime: string; bytes: number }) =>
  (mime === 'text/vtt' || mime === 'text/plain') && bytes <= MAX_WORDS_BYTES;
const MAX_WORDS_BYTES = 1024 * 1024;

/** The path at which a key is served. */
export function assetUrl(key: string): string {
  return `/content-assets/${key}`;
}

/** Maps a key to its storage key and media type; undefined for a malformed key. */
export function fileOf(key: string): { file: string; mime: string } | undefined {
  const [, extension = ''] = /^[0-9a-f]{64}\.([a-z0-9]+)$/.exec(key) ?? [];
  const mime = MIMES.get(extension);
  return mime === undefined ? undefined : { file: `content-assets/${key}`, mime };
}
