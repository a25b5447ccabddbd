import {
  cancelPieceUpload,
  finishPieceUpload,
  openPieceUpload,
  PART_BYTES,
  sendPieceUploadPart,
} from '@officium/contract/piece-uploads';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import { isUser } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { implement } from '#server/http/implement.ts';
import { acceptOneFile, readPicture } from '#server/http/picture-form.ts';
import { viewerOf } from '#server/http/session.ts';
import { allowSlowBody } from '#server/http/slow-bodies.ts';
import { takeTurnsByKey } from '#server/outside/turns.ts';
import { addFile } from './piece-file.service.ts';
import * as uploads from './piece-upload.service.ts';

const policy = holdersOf('edit-content');
/** The deadline of a part, including its wait for a turn. Suffices at 30 kB/s. */
const PART_MS = 3 * 60_000;
/** Each part is held in memory until it is stored. */
const inTurnOfAuthor = takeTurnsByKey({ running: 4, waiting: 20 });

export function pieceUploadRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, openPieceUpload, {
    policy,
    ask: async ({ ctx, viewer, params, body }) => {
      const opened = await uploads.beginPieceUpload(ctx, viewer, params, body);
      return async () => opened;
    },
  });
  partRoute(app, ctx);
  implement(app, ctx, finishPieceUpload, {
    policy,
    ask: async ({ ctx, viewer, params, body }) => {
      const file = await uploads.finishPieceUpload(ctx, viewer, params, { id: params.upload, ...body });
      return async (writing) => await addFile(writing, viewer, params, file);
    },
  });
  implement(app, ctx, cancelPieceUpload, {
    policy,
    handle: async ({ ctx, viewer, params }) =>
      void (await uploads.cancelPieceUpload(ctx, viewer, params, params.upload)),
  });
}

function partRoute(app: FastifyInstance, ctx: Ctx): void {
  void app.register(async (forms) => {
    await acceptOneFile(forms, PART_BYTES, 'content.file_missing');

    // Runs before the operation, because with an Idempotency-Key the operation is one transaction.
    const sent = new WeakMap<FastifyRequest, { received: number }>();
    forms.addHook('preHandler', async (request) => {
      const viewer = await viewerOf(ctx, request);
      policy.check(viewer);
      const params = sendPieceUploadPart.params.safeParse(request.params);
      const query = sendPieceUploadPart.query.safeParse(request.query);
      if (!params.success || !query.success || !isUser(viewer)) return; // the operation refuses it
      if (!request.isMultipart()) throw new AppError('content.file_missing');
      const { upload: id, number, ...piece } = params.data;
      await uploads.admitPart(ctx, viewer, piece, { id, number });
      allowSlowBody(request, PART_MS);
      await inTurnOfAuthor(viewer.id, async () => {
        const part = { id, number, sha256: query.data.sha256, sent: await readPicture(request) };
        sent.set(request, await uploads.receivePiecePart(ctx, viewer, piece, part));
      });
    });
    implement(forms, ctx, sendPieceUploadPart, {
      policy,
      handle: async ({ http }) => sent.get(http.request)!, // set by the hook
    });
  });
}
