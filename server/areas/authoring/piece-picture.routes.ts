import multipart from '@fastify/multipart';
import { uploadPiecePicture } from '@officium/contract/authoring';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import { isUser } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { sendError } from '#server/http/errors.ts';
import { implement } from '#server/http/implement.ts';
import { viewerOf } from '#server/http/session.ts';
import { MAX_PICTURE_BYTES } from '#server/outside/picture.ts';
import { openAs } from './piece-open.service.ts';
import { addPicture, makePicture, type MadePicture } from './piece.service.ts';

/** Returns the bytes of the only part, a file named `file`; undefined for any other, oversized or malformed form. */
async function readOneFile(request: FastifyRequest): Promise<Buffer | undefined> {
  if (!request.isMultipart()) return undefined;
  try {
    const part = await request.file();
    return part?.fieldname === 'file' ? await part.toBuffer() : undefined;
  } catch {
    return undefined;
  }
}

const policy = holdersOf('edit-content');

export function piecePictureRoutes(app: FastifyInstance, ctx: Ctx): void {
  void app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    await forms.register(multipart, {
      limits: { fileSize: MAX_PICTURE_BYTES, files: 1, fields: 0, parts: 1, headerPairs: 20 },
    });
    // An unsupported media type gets the same error as any invalid picture.
    forms.setErrorHandler(async (error: FastifyError, request, reply) => {
      const isType = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
      return await sendError(isType ? new AppError('assets.bad_image') : error, request, reply);
    });
    // Other bodies are left unread; the operation refuses them as invalid pictures.
    forms.addContentTypeParser('*', (_request, _payload, done) => done(null));

    // Runs before the operation, because with an Idempotency-Key the operation is one transaction.
    const sent = new WeakMap<FastifyRequest, MadePicture>();
    forms.addHook('preHandler', async (request) => {
      const viewer = await viewerOf(ctx, request);
      policy.check(viewer);
      const params = uploadPiecePicture.params.safeParse(request.params);
      if (!params.success || !isUser(viewer)) return; // the operation refuses it
      // Before the picture is stored; the operation checks again.
      await openAs(ctx.db, viewer, params.data, 'edit-content');
      sent.set(request, await makePicture(ctx, await readOneFile(request)));
    });
    implement(forms, ctx, uploadPiecePicture, {
      policy,
      handle: async ({ ctx, viewer, params, http }) => await addPicture(ctx, viewer, params, sent.get(http.request)!), // set by the hook
    });
  });
}
