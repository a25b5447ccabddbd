import { createUpload, listUploadAddresses, listUploads } from '@officium/contract/admin';
import { readUpload, undoUpload } from '@officium/contract/cohorts';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { MANAGES_COHORT } from './cohort.policy.ts';
import { startUndo } from './undo.service.ts';
import { listAddressesOf, listUploadsOf, readUploadOf, startUpload } from './upload.service.ts';

type Params = { id: string; uploadId: string };
const placeOf = ({ id, uploadId }: Params) => ({ cohortId: id, uploadId });

export function uploadRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, createUpload, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, body, http }) =>
      await startUpload(ctx, viewer, params.id, body, http.requestId),
  });
  implement(app, ctx, listUploads, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, params, query }) => await listUploadsOf(ctx, params.id, query),
  });
  implement(app, ctx, readUpload, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, params }) => await readUploadOf(ctx.db, placeOf(params)),
  });
  implement(app, ctx, listUploadAddresses, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, query }) => await listAddressesOf(ctx, viewer, placeOf(params), query),
  });
  implement(app, ctx, undoUpload, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, body, http }) =>
      await startUndo(ctx, viewer, { ...placeOf(params), name: body.name }, http.requestId),
  });
}
