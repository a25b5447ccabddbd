import * as contract from '@officium/contract/whole-exports';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { FileReply } from '#server/http/replies.ts';
import { archiveName } from './archive-name.policy.ts';
import { listWholeExports, openWholeExport, requestWholeExport } from './whole-export.service.ts';
import { toWholeExport } from './whole-export.view.ts';

export function wholeExportRoutes(app: FastifyInstance, ctx: Ctx): void {
  const policy = administrators;
  implement(app, ctx, contract.requestWholeExport, {
    policy,
    handle: async ({ ctx, viewer }) => toWholeExport(await requestWholeExport(ctx, viewer)),
  });
  implement(app, ctx, contract.listWholeExports, {
    policy,
    handle: async ({ ctx, viewer }) => {
      const exports = (await listWholeExports(ctx, viewer)).map(toWholeExport);
      return { exports, total: exports.length };
    },
  });
  implement(app, ctx, contract.downloadWholeExport, {
    policy,
    handle: async ({ ctx, viewer, params }) => {
      const { content, bytes, createdAt } = await openWholeExport(ctx, viewer, params.exportId);
      return new FileReply({ content, bytes, name: archiveName(createdAt) });
    },
  });
}
