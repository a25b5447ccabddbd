import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fileOf } from './stored-asset.view.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { requestedRange } from '#server/http/byte-range.ts';
import { storageTimeout } from '#server/outside/files.ts';
import { asAttachment, mayFetch, mediaOfKey } from './media-access.policy.ts';

type Asked = FastifyRequest<{ Params: { key: string; name?: string }; Querystring: { access?: unknown } }>;

/**
 * Serves content pictures by a hash of their bytes. Users learn the hash only from a text they may read, and it cannot
 * be guessed. A picture never changes under its hash, so it is cached forever.
 *
 * Media need an address that was signed for a reader in the last days: a recording of a closed course must not stay
 * open to everyone to whom a link was sent. Neither asks the database, so a slow client holds no connection of it.
 */
export function contentAssetRoutes(app: FastifyInstance, ctx: Ctx): void {
  const options = { config: { isData: true }, exposeHeadRoute: false, method: ['GET', 'HEAD'] };
  app.route({
    ...options,
    url: '/content-assets/:key',
    handler: async (request: Asked, reply) =>
      mediaOfKey(request.params.key) ? await sendMedia(ctx, request, reply) : await sendPicture(ctx, request, reply),
  });
  app.route({
    ...options,
    url: '/content-assets/:key/:name',
    handler: async (request: Asked, reply) => await sendMedia(ctx, request, reply),
  });
}

async function sendPicture(ctx: Ctx, request: Asked, reply: FastifyReply): Promise<FastifyReply> {
  const found = fileOf(request.params.key);
  const signal = storageTimeout();
  const bytes = found && (await ctx.files.size(found.file, signal));
  if (!found || bytes === undefined) throw notFound();
  reply
    .header('content-type', found.mime)
    .header('content-length', bytes)
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('cross-origin-resource-policy', 'cross-origin');
  return request.method === 'HEAD' ? reply.send() : reply.send(await ctx.files.stream(found.file, signal));
}

/** Video and audio are played in the page; other files are downloaded under the name they were given. */
async function sendMedia(ctx: Ctx, request: Asked, reply: FastifyReply): Promise<FastifyReply> {
  const { key, name } = request.params;
  const { access } = request.query;
  const [found, type] = [fileOf(key), mediaOfKey(key)];
  const isSigned = typeof access === 'string' && mayFetch(ctx.seal.hash, { key, access }, ctx.clock.now());
  const signal = storageTimeout();
  const bytes = found && type && isSigned ? await ctx.files.size(found.file, signal) : undefined;
  if (!found || !type || bytes === undefined) throw notFound();

  const etag = `"${key.slice(0, 64)}"`;
  reply.header('etag', etag).header('accept-ranges', 'bytes').header('cache-control', 'private, max-age=86400');
  if (type.kind === 'file') reply.header('content-disposition', asAttachment(name, type.extension));
  if (holds(request, etag)) return reply.code(304).send();

  const range = request.method === 'GET' ? requestedRange(request.headers, { bytes, etag }) : 'all';
  if (range === 'none') return reply.code(416).header('content-range', `bytes */${bytes}`).send();
  reply.header('content-type', withCharset(found.mime));
  if (range === 'all') reply.header('content-length', bytes);
  else
    reply
      .code(206)
      .header('content-range', `bytes ${range.start}-${range.end}/${bytes}`)
      .header('content-length', range.end - range.start + 1);
  if (request.method === 'HEAD') return reply.send();
  return reply.send(await ctx.files.stream(found.file, signal, range === 'all' ? undefined : range));
}

function holds({ headers }: FastifyRequest, etag: string): boolean {
  const held = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return held?.includes(etag) ?? false;
}

const withCharset = (mime: string) => (mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime);
