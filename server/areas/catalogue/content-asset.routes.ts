import type { FastifyInstance } from 'fastify';
import { fileOf } from './stored-asset.view.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { storageTimeout } from '#server/outside/files.ts';

/**
 * Serves content pictures by a hash of their bytes. Users learn the hash only from a text they may read, and it cannot
 * be guessed. A picture never changes under its hash, so it is cached forever.
 */
export function contentAssetRoutes(app: FastifyInstance, ctx: Ctx): void {
  app.get<{ Params: { key: string } }>('/content-assets/:key', async (request, reply) => {
    const found = fileOf(request.params.key);
    const signal = storageTimeout();
    if (!found || !(await ctx.files.exists(found.file, signal))) throw notFound();
    return await reply
      .header('content-type', found.mime)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(await ctx.files.stream(found.file, signal));
  });
}
