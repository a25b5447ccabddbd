import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

// Older releases of Node.js lack zstd.
const canZstd = typeof createZstdCompress === 'function';

const TEXT = /^(?:text\/|application\/(?:json|xml|manifest\+json)|image\/svg\+xml)/;

// Settings at least as small as gzip, cheapest first.
const ENCODERS = {
  zstd: () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
  br: () =>
    createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
    }),
  gzip: () => createGzip({ level: 5, flush: constants.Z_SYNC_FLUSH }),
};
const NAMES = (['zstd', 'br', 'gzip'] as const).filter((name) => name !== 'zstd' || canZstd);

/** Compresses a page with an encoding the browser accepts; flushes as data comes, so that streaming still works. */
export function compressed(request: FastifyRequest, reply: FastifyReply, body: Readable): Readable {
  reply.header('vary', 'Accept-Encoding');
  const type = String(reply.getHeader('content-type') ?? '');
  // text/x-script is React Router's data format.
  if (!TEXT.test(type) || reply.hasHeader('content-encoding')) return body;
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const name = NAMES.find((encoding) => accepted.includes(encoding));
  if (!name) return body;
  const encoder = ENCODERS[name]();
  reply.header('content-encoding', name);
  body.on('error', (error) => encoder.destroy(error));
  encoder.on('close', () => body.destroy());
  return body.pipe(encoder);
}
