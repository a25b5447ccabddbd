import { Uuid } from '@officium/contract/common';
import type { FastifyInstance } from 'fastify';
import type { Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { storageTimeout } from '#server/outside/files.ts';
import { viewerOf } from './session.ts';

/**
 * Serves uploaded pictures at `folder` and their id. Each request asks `open` for the storage key, which throws 404
 * unless the viewer may read the text, so that the picture goes with it.
 */
export function servePictures(
  app: FastifyInstance,
  ctx: Ctx,
  { folder, open }: { folder: string; open: (ctx: Ctx, viewer: Viewer, id: string) => Promise<string> },
): void {
  app.get<{ Params: { id: string } }>(`${folder}:id`, { config: { isData: true } }, async (request, reply) => {
    const { data: id } = Uuid.safeParse(request.params.id);
    if (id === undefined) throw notFound();
    const file = await open(ctx, await viewerOf(ctx, request), id);
    const signal = storageTimeout();
    const bytes = await ctx.files.size(file, signal);
    if (bytes === undefined) throw notFound();
    return await reply
      .header('content-type', 'image/webp')
      .header('content-length', bytes)
      .header('cache-control', 'private, max-age=3600')
      .header('vary', 'cookie')
      .send(await ctx.files.stream(file, signal));
  });
}
