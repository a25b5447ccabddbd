import type { FastifyInstance } from 'fastify';
import { fileOf } from './stored-asset.view.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { storePatience } from '#server/outside/files.ts';

/**
 * Pictures of the content, under names made of their bytes: whoever was shown the text they stand in knows the name, and
 * nobody else can guess it. They never change, so they are kept for good.
 */
export function contentAssetRoutes(app: FastifyInstance, ctx: Ctx): void {
  app.get<{ Params: { key: string } }>('/content-assets/:key', async (request, reply) => {
    const found = fileOf(request.params.key);
    const signal = storePatience();
    if (!found || !(await ctx.files.exists(found.file, signal))) throw notFound();
    return await reply
      .header('content-type', found.mime)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(await ctx.files.stream(found.file, signal));
  });
}
