import multipart from '@fastify/multipart';
import * as contract from '@officium/contract/content-folder';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { implement } from '#server/http/implement.ts';
import { FileReply } from '#server/http/replies.ts';
import { viewerOf } from '#server/http/session.ts';
import { beginImport, keepZip, listImports, queueCheck, readImportOf, type KeptZip } from './folder-import.service.ts';

/** Receives the only part, a file named `file`, streaming it to disk. */
async function receiveZip(ctx: Ctx, request: FastifyRequest): Promise<KeptZip> {
  if (!request.isMultipart()) throw new AppError('content.zip_unreadable');
  // For malformed input, the parser throws or returns undefined.
  const part = await request.file().catch((cause: unknown) => {
    throw new AppError('content.zip_unreadable', {}, { cause });
  });
  if (part?.fieldname !== 'file') throw new AppError('content.zip_unreadable');
  const { filename: name, file: content } = part;
  return await keepZip(ctx, { name, content, isWhole: () => !content.truncated });
}

function zipRoute(app: FastifyInstance, ctx: Ctx): void {
  void app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    await forms.register(multipart, {
      limits: { fileSize: contract.MAX_ZIP_BYTES, files: 1, fields: 0, parts: 1, headerPairs: 20 },
    });
    forms.addContentTypeParser('*', (_request, _payload, done) => done(null)); // left unread; the operation refuses it as no ZIP

    // Runs before the operation, because with an Idempotency-Key the operation is one transaction.
    const sent = new WeakMap<FastifyRequest, KeptZip>();
    forms.addHook('preHandler', async (request) => {
      administrators.check(await viewerOf(ctx, request));
      sent.set(request, await receiveZip(ctx, request));
    });
    implement(forms, ctx, contract.checkContentZip, {
      policy: administrators,
      handle: async ({ ctx, viewer, http }) => await queueCheck(ctx, viewer, sent.get(http.request)!), // set by the hook
    });
  });
}

export function folderImportRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = administrators;
  zipRoute(app, ctx);
  implement(app, ctx, contract.exportContent, {
    policy,
    handle: async ({ ctx, viewer }) => {
      const { exportZip } = await import('./export-zip.service.ts');
      const content = await exportZip(ctx, viewer);
      return new FileReply({ content, name: `content-${ctx.clock.now().toISOString().slice(0, 10)}.zip` });
    },
  });
  implement(app, ctx, contract.listContentImports, {
    policy,
    handle: async ({ ctx, query }) => await listImports(ctx, query),
  });
  implement(app, ctx, contract.readContentImport, {
    policy,
    handle: async ({ ctx, params }) => await readImportOf(ctx, params.importId),
  });
  implement(app, ctx, contract.beginContentImport, {
    policy,
    handle: async ({ ctx, viewer, params }) => await beginImport(ctx, viewer, params.importId),
  });
}
