import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';

/** With more, or after so long, the connection is cut all the same. The largest body that is taken has 33 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 10_000;

/**
 * Reads on, and keeps nothing, until a body that is refused has come whole. Who is still sending when the connection is
 * closed sees that, and not the answer: a browser says that the site cannot be reached, and a proxy answers 502.
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
  // However it ends, the refusal is sent; a sender who has gone does not read it.
  await finished(request, { signal, writable: false }).catch(() => {});
}
