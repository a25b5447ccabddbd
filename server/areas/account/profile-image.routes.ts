import multipart from '@fastify/multipart';
import { uploadProfileImage } from '@officium/contract/assets';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { people } from '#server/access/policies.ts';
import { isUser } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { sendError } from '#server/http/errors.ts';
import { implement } from '#server/http/implement.ts';
import { viewerOf } from '#server/http/session.ts';
import { MAX_PICTURE_BYTES } from '#server/outside/picture.ts';
import { fileKeyOf, PICTURES } from './picture.policy.ts';
import { makePictures, setProfileImage } from './profile-image.service.ts';

/** After this time the file store counts as unavailable; pages then show initials. */
const READ_MS = 4_000;

/** Reads the single part, a file named `file`. Undefined for any other form, and for a broken or too large one. */
async function readOneFile(request: FastifyRequest): Promise<Buffer | undefined> {
  if (!request.isMultipart()) return undefined;
  let file: Buffer | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file' || part.fieldname !== 'file') return undefined;
      file = await part.toBuffer();
    }
  } catch {
    return undefined;
  }
  return file;
}

export function profileImageRoutes(app: FastifyInstance, ctx: Ctx): void {
  void app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    await forms.register(multipart, {
      limits: { fileSize: MAX_PICTURE_BYTES, files: 1, fields: 0, parts: 1, headerPairs: 20 },
    });
    // An unsupported content type gets the same error as a bad image.
    forms.setErrorHandler(async (error: FastifyError, request, reply) => {
      const isType = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
      return await sendError(isType ? new AppError('assets.bad_image') : error, request, reply);
    });
    // Other content types are not read; the handler then refuses them as a bad image.
    forms.addContentTypeParser('*', (_request, _payload, done) => done(null));

    // Runs before the operation, which is one transaction when there is an Idempotency-Key.
    const sent = new WeakMap<FastifyRequest, Buffer[]>();
    forms.addHook('preHandler', async (request) => {
      const viewer = await viewerOf(ctx, request);
      people.check(viewer);
      const params = uploadProfileImage.params.safeParse(request.params);
      if (!params.success || !isUser(viewer)) return; // the operation refuses the request
      const read = async () => await readOneFile(request);
      sent.set(request, await makePictures(ctx, viewer, { ...params.data, read }));
    });
    implement(forms, ctx, uploadProfileImage, {
      policy: people,
      handle: async ({ ctx, viewer, http }) => await setProfileImage(ctx, viewer, sent.get(http.request)!), // set by the hook
    });
  });

  // Public for anyone with the unguessable address. The content of an address never changes.
  app.get<{ Params: { name: string } }>(`${PICTURES}/:name`, async (request, reply) => {
    const key = fileKeyOf(request.params.name);
    if (key === undefined) throw notFound();
    const signal = AbortSignal.timeout(READ_MS);
    const picture = await ctx.files.get(key, signal).catch(async (cause: unknown) => {
      const isThere = await ctx.files.exists(key, signal).catch(() => true);
      throw isThere ? new AppError('server.unavailable', { retryAfterSeconds: 30 }, { cause }) : notFound();
    });
    return await reply
      .header('content-type', 'image/webp')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('x-content-type-options', 'nosniff')
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(Buffer.from(picture));
  });
}
