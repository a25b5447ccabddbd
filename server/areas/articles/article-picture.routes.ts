import { ARTICLE_PICTURES, uploadArticlePicture } from '@officium/contract/article-pictures';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { people } from '#server/access/policies.ts';
import { isUser } from '#server/access/viewer.ts';
import type { UploadedPicture } from '#server/areas/assets/uploaded-picture.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { acceptPictures, readPicture } from '#server/http/picture-form.ts';
import { servePictures } from '#server/http/served-picture.ts';
import { viewerOf } from '#server/http/session.ts';
import { addPicture, makePicture, openPicture } from './article-picture.service.ts';

export function articlePictureRoutes(app: FastifyInstance, ctx: Ctx): void {
  void app.register(async (forms) => {
    await acceptPictures(forms);

    // Runs before the operation, because with an Idempotency-Key the operation is one transaction.
    const sent = new WeakMap<FastifyRequest, UploadedPicture>();
    forms.addHook('preHandler', async (request) => {
      const viewer = await viewerOf(ctx, request);
      people.check(viewer);
      if (!isUser(viewer)) return; // the operation refuses the request
      sent.set(request, await makePicture(ctx, viewer, async (admit) => await readPicture(request, admit)));
    });
    implement(forms, ctx, uploadArticlePicture, {
      policy: people,
      handle: async ({ ctx, viewer, http }) => await addPicture(ctx, viewer, sent.get(http.request)!), // set by the hook
    });
  });
  servePictures(app, ctx, { folder: ARTICLE_PICTURES, open: openPicture });
}
