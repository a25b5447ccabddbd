import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

// Older releases of Node.js lack zstd.
const canZstd = typeof createZstdCompress === 'function';

const TEXT = /^(?:text\/|application\/(?:json|xml|manifest\+json)|image\/svg\+xml)/;

const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
const GZIP_LEVEL = 5;

// Settings at least as small as gzip, cheapest first.
const ENCODERS = {
  zstd: () => createZstdCompress({ flush: constants.ZSTD_e_flush }),
  br: () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH, params: BROTLI }),
  gzip: () => createGzip({ level: GZIP_LEVEL, flush: constants.Z_SYNC_FLUSH }),
};
const AT_ONCE = {
  zstd: (page: Buffer) => zstdCompressSync(page),
  br: (page: Buffer) => brotliCompressSync(page, { params: BROTLI }),
  gzip: (page: Buffer) => gzipSync(page, { level: GZIP_LEVEL }),
};
const NAMES = (['zstd', 'br', 'gzip'] as const).filter((name) => name !== 'zstd' || canZstd);

/** The encoding for an answer, or undefined; names it in the headers. */
function chooseEncoding(request: FastifyRequest, reply: FastifyReply): keyof typeof ENCODERS | undefined {
  reply.header('vary', 'Accept-Encoding');
  const type = String(reply.getHeader('content-type') ?? '');
  // text/x-script is React Router's data format.
  if (!TEXT.test(type) || reply.hasHeader('content-encoding')) return undefined;
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const name = NAMES.find((encoding) => accepted.includes(encoding));
  if (name) reply.header('content-encoding', name);
  return name;
}

/** Compresses a finished page, which costs a third of passing it through a stream. */
export function compressedAtOnce(request: FastifyRequest, reply: FastifyReply, page: Buffer): Buffer {
  const name = chooseEncoding(request, reply);
  return name ? AT_ONCE[name](page) : page;
}

/** Compresses a page with an encoding the browser accepts; flushes as data comes, so that streaming still works. */
export function compressed(request: FastifyRequest, reply: FastifyReply, body: Readable): Readable {
  const name = chooseEncoding(request, reply);
  if (!name) return body;
  const encoder = ENCODERS[name]();
  body.on('error', (error) => encoder.destroy(error));
  encoder.on('close', () => body.destroy());
  return body.pipe(encoder);
}
