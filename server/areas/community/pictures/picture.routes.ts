import { POST_PICTURES, uploadLessonPicture, uploadPostPicture } from '@officium/contract/post-pictures';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { people } from '#server/access/policies.ts';
import { isUser, type UserViewer } from '#server/access/viewer.ts';
import type { ReadAdmitted, UploadedPicture } from '#server/areas/assets/uploaded-picture.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { acceptPictures, readPicture } from '#server/http/picture-form.ts';
import { servePictures } from '#server/http/served-picture.ts';
import { viewerOf } from '#server/http/session.ts';
import { openLesson, openLessonByKey } from '../discussions/lesson-discussion.service.ts';
import { BASIC, openWithLevel } from '../members/access.service.ts';
import { addPicture, makePicture, openPicture, type OpenToWrite } from './picture.service.ts';

type Upload = typeof uploadPostPicture | typeof uploadLessonPicture;

/** The place of an upload, from the parameters of its path; undefined for bad ones. */
type OpenFrom = (viewer: UserViewer, params: unknown) => OpenToWrite | undefined;

const openCommunity: OpenFrom = (viewer, params) => {
  const { data } = uploadPostPicture.params.safeParse(params);
  return (
    data &&
    (async (db) => {
      const { community } = await openWithLevel(db, viewer, data.slug, BASIC);
      return { communityId: community.id };
    })
  );
};

const openLessonOf: OpenFrom = (viewer, params) => {
  const { data } = uploadLessonPicture.params.safeParse(params);
  return data && (async (db) => (await openLesson(db, viewer, data, BASIC)).place);
};

export function postPictureRoutes(app: FastifyInstance, ctx: Ctx): void {
  uploadRoute(app, ctx, uploadPostPicture, openCommunity);
  uploadRoute(app, ctx, uploadLessonPicture, openLessonOf);
  servePictures(app, ctx, {
    folder: POST_PICTURES,
    open: async (ctx, viewer, id) => await openPicture(ctx, viewer, id, openLessonByKey),
  });
}

function uploadRoute(app: FastifyInstance, ctx: Ctx, upload: Upload, openFrom: OpenFrom): void {
  void app.register(async (forms) => {
    await acceptPictures(forms);

    // Runs before the operation, because with an Idempotency-Key the operation is one transaction.
    const sent = new WeakMap<FastifyRequest, UploadedPicture>();
    forms.addHook('preHandler', async (request) => {
      const viewer = await viewerOf(ctx, request);
      people.check(viewer);
      const open = isUser(viewer) ? openFrom(viewer, request.params) : undefined;
      if (!open || !isUser(viewer)) return; // the operation refuses the request
      const read: ReadAdmitted = async (admit) => await readPicture(request, admit);
      sent.set(request, await makePicture(ctx, viewer, { open, read }));
    });
    implement(forms, ctx, upload, {
      policy: people,
      handle: async ({ ctx, viewer, params, http }) =>
        await addPicture(ctx, viewer, openFrom(viewer, params)!, sent.get(http.request)!), // set by the hook
    });
  });
}
