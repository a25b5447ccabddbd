import type { PieceFile } from '@officium/contract/authoring';
import type { Kind } from './kinds.ts';
import type { MediaKind } from './media-markdown.ts';

export type Uploaded = { kind: MediaKind; path: string; url: string; version: number };
/** The upload was refused; `code` names the reason, and is missing when the connection broke off. */
export class UploadRefused extends Error {
  readonly code: string | undefined;
  constructor(code?: string) {
    super(code ?? 'broken off');
    this.code = code;
  }
}

/** The pictures uploaded since the page was loaded, by path. */
const pictures = new Map<string, string>();
export const uploadedPicture = (src: string): string | undefined => pictures.get(src.replace(/^\//, ''));

export type Options = {
  onProgress: (sent: number, total: number) => void;
  /** The connection is interrupted, or back. */
  onWaiting?: (isWaiting: boolean) => void;
  signal: AbortSignal;
};

/** The pictures that the API stores as pictures; everything else is a file. */
export const isPictureFile = ({ type }: { type: string }) => /^image\/(?:jpeg|png|webp|gif)$/.test(type);

/** Sends a file to the draft of a piece at once. Unlike `fetch`, this tells how much has been sent. */
export async function uploadMedia(
  { kind, key }: { kind: Kind; key: string },
  file: File,
  { onProgress, signal }: Options,
): Promise<Uploaded> {
  const isPicture = isPictureFile(file);
  const address = `/api/content/authoring/${kind}/pieces/${encodeURIComponent(key)}/${isPicture ? 'pictures' : 'files'}`;
  const form = new FormData();
  form.set('file', file);
  const body = await new Promise<Record<string, unknown>>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onload = () => {
      const answer = (request.response ?? {}) as Record<string, unknown>; // JSON of the API, else null
      if (request.status === 201) resolve(answer);
      // A proxy in front refuses large bodies without a code.
      else
        reject(new UploadRefused(String(answer['code'] ?? (request.status === 413 ? 'content.file_too_large' : ''))));
    };
    request.onerror = () => reject(new UploadRefused());
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
  const uploaded = body as Partial<PieceFile> & { path: string; url: string; version: number }; // contract/authoring.ts
  const { kind: type = 'picture', path, url, version } = uploaded;
  if (type === 'picture') pictures.set(path, url);
  return { kind: type, path, url, version };
}
