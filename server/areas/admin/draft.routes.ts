import multipart from '@fastify/multipart';
import {
  chooseDraftColumn,
  confirmDraft,
  MAX_FILE_BYTES,
  readUploadDraft,
  readUploadFile,
} from '@officium/contract/cohorts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { implement } from '#server/http/implement.ts';
import { MANAGES_COHORT } from './cohort.policy.ts';
import { viewerOf } from '#server/http/session.ts';
import {
  chooseColumn,
  confirmDraftOf,
  storeDraft,
  readDraftOf,
  readFile,
  type ReadFile,
  type SentFile,
} from './draft.service.ts';

/** Reads the single part, a file named `file`. */
async function readOneFile(request: FastifyRequest): Promise<SentFile> {
  if (!request.isMultipart()) throw new AppError('admin.file_unreadable');
  let file: SentFile | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file' || part.fieldname !== 'file') throw new AppError('admin.file_unreadable');
      file = { name: part.filename, content: await part.toBuffer() };
    }
  } catch (error) {
    const { code } = error as { code?: unknown }; // parser errors have a code
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw new AppError('admin.file_too_large');
    throw error instanceof AppError ? error : new AppError('admin.file_unreadable');
  }
  if (!file) throw new AppError('admin.file_unreadable');
  return file;
}

function fileRoute(app: FastifyInstance, ctx: Ctx): void {
  void app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    await forms.register(multipart, {
      limits: { fileSize: MAX_FILE_BYTES, files: 1, fields: 0, parts: 1, headerPairs: 20 },
    });
    forms.addContentTypeParser('*', (_request, _payload, done) => done(null)); // not read; refused as a missing file

    // Runs before the operation, which is one transaction when there is an Idempotency-Key.
    const sent = new WeakMap<FastifyRequest, ReadFile>();
    forms.addHook('preHandler', async (request) => {
      MANAGES_COHORT.policy.check(await viewerOf(ctx, request));
      if (!readUploadFile.params.safeParse(request.params).success) return; // the operation refuses the request
      sent.set(request, await readFile(await readOneFile(request)));
    });
    implement(forms, ctx, readUploadFile, {
      ...MANAGES_COHORT,
      handle: async ({ ctx, viewer, params, http }) =>
        await storeDraft(ctx, viewer, params.id, sent.get(http.request)!, http.requestId), // set by the hook
    });
  });
}

export function draftRoutes(app: FastifyInstance, ctx: Ctx): void {
  const keyOf = ({ id, draftId }: { id: string; draftId: string }, viewer: { id: string }) => ({
    cohortId: id,
    draftId,
    userId: viewer.id,
  });
  fileRoute(app, ctx);
  implement(app, ctx, readUploadDraft, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params }) => await readDraftOf(ctx.db, keyOf(params, viewer)),
  });
  implement(app, ctx, chooseDraftColumn, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, body, http }) =>
      await chooseColumn(ctx, viewer, { ...keyOf(params, viewer), column: body.column }, http.requestId),
  });
  implement(app, ctx, confirmDraft, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, body, http }) =>
      await confirmDraftOf(ctx, viewer, { ...keyOf(params, viewer), slug: body.slug }, http.requestId),
  });
}
