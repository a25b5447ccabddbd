import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';

/** Beyond these limits the connection is closed. The largest accepted body has 33 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 10_000;

/**
 * Reads the rest of a refused body and discards it. A sender whose connection is closed while sending does not see the
 * answer: a browser reports a connection error, and a proxy answers 502.
 */
export async function readRestOfBody(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed || Number(request.headers['content-length']) > MAX_BYTES) return;
  const tooMuch = new AbortController();
  let bytes = 0;
  request.unpipe();
  request.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > MAX_BYTES) tooMuch.abort();
  });
  request.resume();
  const signal = AbortSignal.any([tooMuch.signal, AbortSignal.timeout(MAX_MS)]);
  // The refusal is sent in any case; a sender who disconnected does not read it.
  await finished(request, { signal, writable: false }).catch(() => {});
}
