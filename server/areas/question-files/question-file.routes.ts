import multipart from '@fastify/multipart';
import { exportQuestions, importQuestions, MAX_QUESTION_FILE_BYTES } from '@officium/contract/question-files';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import { isUser } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { sendError } from '#server/http/errors.ts';
import { implement } from '#server/http/implement.ts';
import { FileReply } from '#server/http/replies.ts';
import { viewerOf } from '#server/http/session.ts';
import { type Limit, takeLimit } from '#server/limits/limits.ts';
import { takeTurns } from '#server/outside/turns.ts';
import { type QuestionFile, readQuestionFile, shownName } from './question-file.format.ts';
import * as files from './question-file.service.ts';

const policy = holdersOf('edit-content');
/** Dry runs count too. */
const IMPORTS: Limit = { max: 60, windowSeconds: 3600 };
/** Parsing a file keeps a process busy for up to some seconds. */
const inTurn = takeTurns({ running: 1, waiting: 10 });

/** Receives the only part, a file named `file`. */
async function receive(request: FastifyRequest): Promise<{ name: string; bytes: Buffer }> {
  const part = request.isMultipart() ? await request.file().catch(() => undefined) : undefined; // malformed
  if (part?.fieldname !== 'file') throw new AppError('content.questions_unreadable');
  const bytes = await part.toBuffer().catch((cause: unknown) => {
    const isLarge = part.file.truncated;
    throw new AppError(isLarge ? 'content.questions_too_large' : 'content.questions_unreadable', {}, { cause });
  });
  return { name: shownName(part.filename), bytes };
}

function importRoute(app: FastifyInstance, ctx: Ctx): void {
  void app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    await forms.register(multipart, {
      limits: { fileSize: MAX_QUESTION_FILE_BYTES, files: 1, fields: 0, parts: 1, headerPairs: 20 },
    });
    forms.setErrorHandler(async (error: FastifyError, request, reply) => {
      const isType = error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
      return await sendError(isType ? new AppError('content.questions_unreadable') : error, request, reply);
    });
    forms.addContentTypeParser('*', (_request, _payload, done) => done(null)); // left unread; refused as unreadable

    // Runs before the operation, because with an Idempotency-Key the operation is one transaction.
    const sent = new WeakMap<FastifyRequest, QuestionFile>();
    forms.addHook('preHandler', async (request) => {
      const viewer = await viewerOf(ctx, request);
      policy.check(viewer);
      const { data: params } = importQuestions.params.safeParse(request.params);
      const isValid = importQuestions.query.safeParse(request.query).success;
      if (!params || !isValid || !isUser(viewer)) return; // the operation refuses it
      // Counted here because the limits of the operation come after the file is parsed.
      await takeLimit(ctx, `${importQuestions.name}:${viewer.id}`, IMPORTS);
      // Before the file is received; the operation checks again.
      await files.requireMayImport(ctx.db, viewer, params);
      const { name, bytes } = await receive(request);
      sent.set(request, await inTurn(async () => await readQuestionFile(name, bytes)));
    });
    implement(forms, ctx, importQuestions, {
      policy,
      handle: async ({ ctx, viewer, params, query, http }) =>
        await files.importQuestions(ctx, viewer, { ...params, ...query }, sent.get(http.request)!), // set by the hook
    });
  });
}

export function questionFileRoutes(app: FastifyInstance, ctx: Ctx): void {
  importRoute(app, ctx);
  implement(app, ctx, exportQuestions, {
    policy,
    handle: async ({ ctx, viewer, params, query }) =>
      new FileReply(await files.exportQuestions(ctx, viewer, { ...params, ...query })),
  });
}
