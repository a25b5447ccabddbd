import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

const TEXT = /^(?:text\/|application\/(?:json|xml|manifest\+json)|image\/svg\+xml)/;

/** The body of a page in an encoding the browser takes; flushed as it comes, so that streaming still streams. */
export function compressed(request: FastifyRequest, reply: FastifyReply, body: Readable): Readable {
  reply.header('vary', 'Accept-Encoding');
  const type = String(reply.getHeader('content-type') ?? '');
  // text/x-script is React Router's data format.
  if (!TEXT.test(type) || reply.hasHeader('content-encoding')) return body;
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoder = accepted.includes('br')
    ? createBrotliCompress({
        flush: constants.BROTLI_OPERATION_FLUSH,
        params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
      })
    : accepted.includes('gzip')
      ? createGzip({ level: 5, flush: constants.Z_SYNC_FLUSH })
      : undefined;
  if (!encoder) return body;
  reply.header('content-encoding', encoder instanceof createGzipClass ? 'gzip' : 'br');
  body.on('error', (error) => encoder.destroy(error));
  encoder.on('close', () => body.destroy());
  return body.pipe(encoder);
}

const createGzipClass = createGzip().constructor as new () => unknown;
