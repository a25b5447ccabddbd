import { Readable, Transform, type TransformCallback } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const TOO_LARGE = 'What you sent is too large.';

type Bridged = { webRequest: Request; isTooLarge: () => boolean };

/** A request as React Router reads it. It ends when the client disconnects or its body is too large. */
export function toWebRequest(request: FastifyRequest, reply: FastifyReply, origin: string, bodyLimit: number): Bridged {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || name.startsWith(':')) continue;
    for (const one of [value].flat()) headers.append(name, one);
  }
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('the client disconnected'));
  });
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  let isTooLarge = false;
  const body = hasBody ? limited(request.body as Readable | undefined, bodyLimit, () => (isTooLarge = true)) : null;
  const webRequest = new Request(origin + request.raw.url, {
    method: request.method,
    headers,
    signal: controller.signal,
    ...(body && { body, duplex: 'half' }),
  });
  return { webRequest, isTooLarge: () => isTooLarge };
}

function limited(body: Readable | undefined, limit: number, onExceeded: () => void): ReadableStream | null {
  if (!body || typeof body.pipe !== 'function') return null;
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      bytes += chunk.length;
      if (bytes <= limit) return done(null, chunk);
      onExceeded();
      done(new Error(TOO_LARGE));
    },
  });
  body.on('error', (error) => counter.destroy(error));
  return Readable.toWeb(body.pipe(counter)) as ReadableStream; // Node and the DOM have different types for it
}
