import * as contract from '@officium/contract/personal-data';
import type { FastifyInstance } from 'fastify';
import { provenAccounts } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { FileReply } from '#server/http/replies.ts';
import { listExports, openExport, readExport, requestExport } from './export.service.ts';
import { toDataExport } from './export.view.ts';

export function exportRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.requestDataExport, {
    policy: provenAccounts,
    handle: async ({ ctx, viewer }) => toDataExport(await requestExport(ctx, viewer)),
  });
  implement(app, ctx, contract.listDataExports, {
    policy: provenAccounts,
    handle: async ({ ctx, viewer }) => {
      const exports = (await listExports(ctx, viewer)).map(toDataExport);
      return { exports, total: exports.length };
    },
  });
  implement(app, ctx, contract.readDataExport, {
    policy: provenAccounts,
    handle: async ({ ctx, viewer, params }) => toDataExport(await readExport(ctx, viewer, params.id)),
  });
  implement(app, ctx, contract.downloadDataExport, {
    policy: provenAccounts,
    handle: async ({ ctx, viewer, params }) => {
      const { content, bytes, createdAt } = await openExport(ctx, viewer, params.id);
      return new FileReply({ content, bytes, name: `export-${createdAt.toISOString().slice(0, 10)}.zip` });
    },
  });
}
