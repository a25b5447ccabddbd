import type { FastifyInstance } from 'fastify';
import type { Ctx } from '#server/ctx.ts';
import { OUTSIDE_PICTURES } from './outside-picture.policy.ts';
import { createOutsidePictures } from './outside-picture.service.ts';

type Path = { name: string; address: string };

/** Serves pictures from other hosts, so that viewers' browsers contact only this site. */
export function outsidePictureRoutes(app: FastifyInstance, ctx: Ctx): void {
  const pictureOf = createOutsidePictures({ allow: ctx.config.linkPreviewAllow });
  app.get<{ Params: Path }>(`${OUTSIDE_PICTURES}/:name/:address`, async (request, reply) => {
    const picture = await pictureOf(ctx, request.params, request.ip);
    return await reply
      .header('content-type', 'image/webp')
      .header('cache-control', 'public, max-age=86400')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .send(Buffer.from(picture));
  });
}
