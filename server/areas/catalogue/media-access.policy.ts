import type { Hash } from '#server/areas/assets/outside-picture.policy.ts';
import { mediaOfExtension, type MediaType } from '#server/outside/media-type.data.ts';
import { assetUrl } from './stored-asset.view.ts';

const DAY_MS = 24 * 3600 * 1000;
/** An address works on the day it was shown and on this many more. It stays the same for a day, so it can be cached. */
const DAYS = 2;

const MEDIA_ADDRESS = /\/content-assets\/([0-9a-f]{64}\.([a-z0-9]+))((?:\/[^"?\s]*)?)(?=")/g;

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

function signatureOf(hash: Hash, key: string, until: string): string {
  return hash(`${until} ${key}`, 'media').toString('hex').slice(0, 32);
}

/** The media type of a key; undefined for pictures. */
export function mediaOfKey(key: string): MediaType | undefined {
  return mediaOfExtension(key.slice(key.lastIndexOf('.') + 1));
}

/** Proves in an address that its text was shown to somebody who may read it. */
export function accessTo(hash: Hash, key: string, now: Date): string {
  const until = dayOf(now.getTime() + DAYS * DAY_MS);
  return `${until}.${signatureOf(hash, key, until)}`;
}

/** Whether an address was given out by this installation and still works. */
export function mayFetch(hash: Hash, { key, access }: { key: string; access: string }, now: Date): boolean {
  const [, until = '', signature = ''] = /^(\d{4}-\d\d-\d\d)\.([0-9a-f]{32})$/.exec(access) ?? [];
  return until >= dayOf(now.getTime()) && signature === signatureOf(hash, key, until);
}

/** The address of a file for a reader; pictures have one address for all. */
export function readerUrl(hash: Hash, key: string, now: Date): string {
  return mediaOfKey(key) ? `${assetUrl(key)}?access=${accessTo(hash, key, now)}` : assetUrl(key);
}

/**
 * Adds access to the media addresses of a text that its reader may read. Only to those of its own files, `keys`: its
 * author can type the address of any file into a link.
 */
export function signMedia(hash: Hash, { html, keys }: { html: string; keys: readonly string[] }, now: Date): string {
  if (keys.length === 0 || !html.includes('/content-assets/')) return html;
  const own = new Set(keys);
  return html.replace(MEDIA_ADDRESS, (address: string, key: string, extension: string) =>
    own.has(key) && mediaOfExtension(extension) ? `${address}?access=${accessTo(hash, key, now)}` : address,
  );
}

const MAX_NAME = 80;

/** Offers a file for download under its name. Its extension is that of its type, whatever the address says. */
export function asAttachment(name: string | undefined, extension: string): string {
  const stem = (name ?? '')
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, MAX_NAME)
    .toWellFormed();
  const whole = `${stem || 'file'}.${extension}`;
  const plain = whole.replace(/[^ -~]/g, '_');
  return `attachment; filename="${plain}"${plain === whole ? '' : `; filename*=UTF-8''${encodeURIComponent(whole)}`}`;
}
