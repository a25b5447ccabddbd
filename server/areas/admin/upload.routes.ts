import { createUpload, listUploadAddresses, listUploads } from '@officium/contract/admin';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { listAddressesOf, listUploadsOf, startUpload } from './upload.service.ts';

export function uploadRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = administrators;
  implement(app, ctx, createUpload, {
    policy,
    handle: async ({ ctx, viewer, params, body, http }) =>
      await startUpload(ctx, viewer, params.id, body, http.requestId),
  });
  implement(app, ctx, listUploads, {
    policy,
    handle: async ({ ctx, params, query }) => await listUploadsOf(ctx, params.id, query),
  });
  implement(app, ctx, listUploadAddresses, {
    policy,
    handle: async ({ ctx, params, query }) =>
      await listAddressesOf(ctx, { cohortId: params.id, uploadId: params.uploadId }, query),
  });
}
