import multipart from '@fastify/multipart';
import { removePieceFile, uploadPieceFile } from '@officium/contract/authoring';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import { isUser } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { sendError } from '#server/http/errors.ts';
import { implement } from '#server/http/implement.ts';
import { viewerOf } from '#server/http/session.ts';
import { allowSlowBody } from '#server/http/slow-bodies.ts';
import { type Limit, takeLimit } from '#server/limits/limits.ts';
import { type Incoming, withSpace } from '#server/areas/assets/incoming-file.service.ts';
import { takesFiles } from './piece-file.policy.ts';
import { addFile, receiveFile, removeFile } from './piece-file.service.ts';
import type { PieceImage } from './piece.policy.ts';
import { docOf, openAs } from './piece-open.service.ts';

const policy = holdersOf('edit-content');

/** Above what the lessons of a course need, with captions in all languages. */
const UPLOADS: Limit = { max: 300, windowSeconds: 3600 };
const UPLOADS_AT_ONCE = 4;

/** The most that will arrive: a body without a length may be as large as any. */
function bytesOf({ config }: Ctx, { headers }: FastifyRequest): number {
  return Math.min(Number(headers['content-length'] ?? Infinity), config.maxMediaBytes);
}

/** An error of the multipart parser, which has no code. */
const isCutOff = (error: unknown) => error instanceof Error && /unexpected end of multipart data/i.test(error.message);

/** Receives the only part, a file named `file`, streaming it to storage. */
async function receive(ctx: Ctx, incoming: Incoming, request: FastifyRequest): Promise<PieceImage> {
  const part = request.isMultipart() ? await request.file().catch(() => undefined) : undefined; // malformed
  if (part?.fieldname !== 'file') throw new AppError('content.file_missing');
  const { filename: name, file: content } = part;
  try {
    return await receiveFile(ctx, incoming, { name, content, isWhole: () => !content.truncated });
  } catch (error) {
    // The body ended without its last boundary.
    if (isCutOff(error) || isCutOff((error as Error).cause)) throw new AppError('content.file_missing');
    throw error;
  }
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
    const atOnce = ctx.config.rateLimits ? UPLOADS_AT_ONCE : Infinity;
    forms.addHook('preHandler', async (request) => {
      const viewer = await viewerOf(ctx, request);
      policy.check(viewer);
      const { data: piece } = uploadPieceFile.params.safeParse(request.params);
      if (!piece || !isUser(viewer)) return; // the operation refuses it
      // Before the file is stored; the operation checks again.
      const row = await openAs(ctx.db, viewer, piece, 'edit-content');
      if (!takesFiles(docOf(row))) throw notFound();
      await takeLimit(ctx, `upload-file:${viewer.id}`, UPLOADS);
      const wanted = { userId: viewer.id, bytes: bytesOf(ctx, request), atOnce };
      await withSpace(ctx, wanted, async (incoming) => {
        allowSlowBody(request);
        sent.set(request, await receive(ctx, incoming, request));
      });
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
