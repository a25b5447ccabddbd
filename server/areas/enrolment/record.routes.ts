import {
  createBulkEnrolment,
  listBulkEnrolments,
  readBulkEnrolment,
  updateBulkEnrolment,
} from '@officium/contract/people-records';
import type { FastifyInstance } from 'fastify';
import { servicesAndAdministrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { toBulkEnrolment } from './enrolment.view.ts';
import * as records from './record.service.ts';

export function bulkEnrolmentRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, createBulkEnrolment, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, body }) => toBulkEnrolment(await records.createRecord(ctx, viewer, body)),
  });
  implement(app, root, readBulkEnrolment, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, params }) => toBulkEnrolment(await records.readRecord(ctx, viewer, params.id)),
  });
  implement(app, root, listBulkEnrolments, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, query }) => {
      const { rows, total } = await records.listRecords(ctx, viewer, query);
      return { bulkEnrolments: rows.map(toBulkEnrolment), total };
    },
  });
  implement(app, root, updateBulkEnrolment, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, params, body }) =>
      toBulkEnrolment(await records.updateRecord(ctx, viewer, params.id, body)),
  });
}
