import { createUpload, listUploadAddresses, listUploads } from '@officium/contract/admin';
import { readUpload, undoUpload } from '@officium/contract/cohorts';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { startUndo } from './undo.service.ts';
import { listAddressesOf, listUploadsOf, readUploadOf, startUpload } from './upload.service.ts';

type Params = { id: string; uploadId: string };
const placeOf = ({ id, uploadId }: Params) => ({ cohortId: id, uploadId });

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
  implement(app, ctx, readUpload, {
    policy,
    handle: async ({ ctx, params }) => await readUploadOf(ctx.db, placeOf(params)),
  });
  implement(app, ctx, listUploadAddresses, {
    policy,
    handle: async ({ ctx, viewer, params, query }) => await listAddressesOf(ctx, viewer, placeOf(params), query),
  });
  implement(app, ctx, undoUpload, {
    policy,
    handle: async ({ ctx, viewer, params, body, http }) =>
      await startUndo(ctx, viewer, { ...placeOf(params), name: body.name }, http.requestId),
  });
}
