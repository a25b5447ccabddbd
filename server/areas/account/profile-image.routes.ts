import { uploadProfileImage } from '@officium/contract/assets';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { people } from '#server/access/policies.ts';
import { isUser } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { implement } from '#server/http/implement.ts';
import { acceptPictures, readPicture } from '#server/http/picture-form.ts';
import { viewerOf } from '#server/http/session.ts';
import { fileKeyOf, PICTURES } from './picture.policy.ts';
import { makePictures, setProfileImage } from './profile-image.service.ts';

/** After this time the file store counts as unavailable; pages then show initials. */
const READ_MS = 4_000;

export function profileImageRoutes(app: FastifyInstance, ctx: Ctx): void {
  void app.register(async (forms) => {
    await acceptPictures(forms);

    // Runs before the operation, which is one transaction when there is an Idempotency-Key.
    const sent = new WeakMap<FastifyRequest, Buffer[]>();
    forms.addHook('preHandler', async (request) => {
      const viewer = await viewerOf(ctx, request);
      people.check(viewer);
      const params = uploadProfileImage.params.safeParse(request.params);
      if (!params.success || !isUser(viewer)) return; // the operation refuses the request
      const read = async () => await readPicture(request);
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
