import type { Kind } from './kinds.ts';
import { UploadRefused, type Options, type Uploaded } from './media-upload.ts';

/** Files above this size are sent in parts, so that a broken connection does not begin again. */
const LARGE_BYTES = 16 * 1024 * 1024;
const LONGEST_WAIT_MS = 30_000;
/** The server may be restarted, or the network may be away, for so long. */
const MAX_TRIES = 40;

/** Digests need a page with HTTPS or on this machine. */
export const isSentInParts = (file: File): boolean =>
  file.size > LARGE_BYTES && globalThis.crypto?.subtle !== undefined;

type Opened = { id: string; partBytes: number; parts: number; received: number[] }; // contract/piece-uploads.ts

/**
 * Sends a file in parts, and each again until it arrives. An upload that broke off, also in another visit, goes on where
 * it stopped.
 */
export async function uploadInParts(
  { kind, key }: { kind: Kind; key: string },
  file: File,
  options: Options,
): Promise<Uploaded> {
  const uploads = `/api/content/authoring/${kind}/pieces/${encodeURIComponent(key)}/uploads`;
  const { signal } = options;
  const { name, size: bytes, lastModified: modified } = file;
  const opened = (await persist(uploads, json({ name: name.slice(-255), bytes, modified }), options)) as Opened;
  const upload = `${uploads}/${opened.id}`;
  try {
    const digests = await sendParts(upload, file, opened, options);
    const sha256 = await digestOf(new Uint8Array(digests.flatMap((digest) => [...digest])));
    return (await persist(`${upload}/file`, json({ sha256: hex(sha256) }), options)) as Uploaded;
  } catch (error) {
    // A visitor who leaves the page continues later; one who cancels does not.
    if (signal.aborted && signal.reason !== 'leaving') void fetch(upload, { method: 'DELETE' }).catch(() => {});
    throw error;
  }
}

/** Sends the parts that are missing, one after another, and returns the digests of all. */
async function sendParts(
  upload: string,
  file: File,
  { partBytes, parts, received }: Opened,
  options: Options,
): Promise<Uint8Array[]> {
  const there = new Set(received);
  const digests: Uint8Array[] = [];
  for (let number = 1; number <= parts; number++) {
    const part = file.slice((number - 1) * partBytes, number * partBytes);
    // Fails when the file was changed or moved meanwhile.
    const content = await part.arrayBuffer().catch(() => {
      throw new UploadRefused('content.upload_damaged');
    });
    const digest = await digestOf(new Uint8Array(content));
    digests.push(digest);
    if (!there.has(number)) {
      const form = new FormData();
      form.set('file', new Blob([content]));
      await persist(`${upload}/parts/${number}?sha256=${hex(digest)}`, { body: form }, options);
    }
    options.onProgress(Math.min(number * partBytes, file.size), file.size);
  }
  return digests;
}

const digestOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const json = (body: object): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Sends a request again while the connection or the server is away. Throws `UploadRefused` for any other refusal. */
async function persist(url: string, init: RequestInit, { signal, onWaiting }: Options): Promise<unknown> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const answer = await fetch(url, { ...init, method: 'POST', signal }).catch(() => undefined);
    signal.throwIfAborted();
    const body = (await answer?.json().catch(() => undefined)) as { code?: string } | undefined;
    if (answer?.ok && body) {
      if (attempt > 0) onWaiting?.(false);
      return body;
    }
    const isAway = !answer || answer.ok || answer.status >= 500 || answer.status === 429;
    if (!isAway && body?.code !== 'content.part_damaged') throw new UploadRefused(body?.code);
    onWaiting?.(true);
    const seconds = Number(answer?.headers.get('retry-after') ?? 0);
    await pause(Math.max(seconds * 1000, Math.min(1000 * 2 ** attempt, LONGEST_WAIT_MS)), signal);
  }
  throw new UploadRefused();
}

/** Waits, at most until the browser is online again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = new AbortController();
    const end = () => {
      stop.abort();
      clearTimeout(timer);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end, { signal: stop.signal });
    signal.addEventListener('abort', end, { signal: stop.signal });
  });
}
