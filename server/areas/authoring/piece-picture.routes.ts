import { uploadPiecePicture } from '@officium/contract/authoring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import { isUser } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { acceptPictures, readPicture } from '#server/http/picture-form.ts';
import { viewerOf } from '#server/http/session.ts';
import { type Limit, takeLimit } from '#server/limits/limits.ts';
import { takeTurnsByKey } from '#server/outside/turns.ts';
import { openAs } from './piece-open.service.ts';
import { addPicture, makePicture, type MadePicture } from './piece-picture.service.ts';

const policy = holdersOf('edit-content');
const UPLOADS: Limit = { max: 300, windowSeconds: 3600 };
/** Pictures are read one after another for everybody, so nobody may stand in that queue more than once. */
const inTurnOfAuthor = takeTurnsByKey({ running: 1, waiting: 20 });

export function piecePictureRoutes(app: FastifyInstance, ctx: Ctx): void {
  void app.register(async (forms) => {
    await acceptPictures(forms);

    // Runs before the operation, because with an Idempotency-Key the operation is one transaction.
    const sent = new WeakMap<FastifyRequest, MadePicture>();
    forms.addHook('preHandler', async (request) => {
      const viewer = await viewerOf(ctx, request);
      policy.check(viewer);
      const params = uploadPiecePicture.params.safeParse(request.params);
      if (!params.success || !isUser(viewer)) return; // the operation refuses it
      // Before the picture is stored; the operation checks again.
      await openAs(ctx.db, viewer, params.data, 'edit-content');
      await takeLimit(ctx, `upload-picture:${viewer.id}`, UPLOADS);
      const picture = await readPicture(request);
      sent.set(request, await inTurnOfAuthor(viewer.id, async () => await makePicture(ctx, viewer.id, picture)));
    });
    implement(forms, ctx, uploadPiecePicture, {
      policy,
      handle: async ({ ctx, viewer, params, http }) => await addPicture(ctx, viewer, params, sent.get(http.request)!), // set by the hook
    });
  });
}
