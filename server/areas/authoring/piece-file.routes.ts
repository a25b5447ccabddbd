import multipart from '@fastify/multipart';
import { removePieceFile, uploadPieceFile } from '@officium/contract/authoring';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import { isUser } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { sendError } from '#server/http/errors.ts';
import { implement } from '#server/http/implement.ts';
import { viewerOf } from '#server/http/session.ts';
import { allowSlowBody } from '#server/http/slow-bodies.ts';
import { addFile, receiveFile, removeFile } from './piece-file.service.ts';
import type { PieceImage } from './piece.policy.ts';
import { openAs } from './piece-open.service.ts';

const policy = holdersOf('edit-content');

/** Receives the only part, a file named `file`, streaming it to storage. */
async function receive(ctx: Ctx, request: FastifyRequest): Promise<PieceImage> {
  const part = request.isMultipart() ? await request.file().catch(() => undefined) : undefined; // malformed
  if (part?.fieldname !== 'file') throw new AppError('content.file_missing');
  const { filename: name, file: content } = part;
  return await receiveFile(ctx, { name, content, isWhole: () => !content.truncated });
}

function uploadRoute(app: FastifyInstance, ctx: Ctx): void {
  void app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    await forms.register(multipart, {
      limits: { fileSize: ctx.config.maxMediaBytes, files: 1, fields: 0, parts: 1, headerPairs: 20 },
    });
    forms.setErrorHandler(async (error: FastifyError, request, reply) => {
      const isType = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
      return await sendError(isType ? new AppError('content.file_missing') : error, request, reply);
    });
    forms.addContentTypeParser('*', (_request, _payload, done) => done(null)); // left unread; refused as a missing file

    // Runs before the operation, because with an Idempotency-Key the operation is one transaction.
    const sent = new WeakMap<FastifyRequest, PieceImage>();
    forms.addHook('preHandler', async (request) => {
      const viewer = await viewerOf(ctx, request);
      policy.check(viewer);
      const { data: piece } = uploadPieceFile.params.safeParse(request.params);
      if (!piece || !isUser(viewer)) return; // the operation refuses it
      // Before the file is stored; the operation checks again.
      await openAs(ctx.db, viewer, piece, 'edit-content');
      allowSlowBody(request);
      sent.set(request, await receive(ctx, request));
    });
    implement(forms, ctx, uploadPieceFile, {
      policy,
      handle: async ({ ctx, viewer, params, http }) => await addFile(ctx, viewer, params, sent.get(http.request)!), // set by the hook
    });
  });
}

export function pieceFileRoutes(app: FastifyInstance, ctx: Ctx): void {
  uploadRoute(app, ctx);
  implement(app, ctx, removePieceFile, {
    policy,
    handle: async ({ ctx, viewer, params, body }) => await removeFile(ctx, viewer, params, body),
  });
}
