import * as contract from '@officium/contract/people';
import type { FastifyInstance } from 'fastify';
import { people, peopleAndServices, servicesAndAdministrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { createUser, listUsers, readUser, replaceUser } from './user-record.service.ts';
import { toUserRecord } from './user-record.view.ts';

export function userRecordRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.createUserRecord, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, body, http }) =>
      toUserRecord(await createUser(ctx, viewer, { user: body, requestId: http.requestId }), viewer),
  });
  implement(app, ctx, contract.listUserRecords, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, query }) => {
      const { rows, total } = await listUsers(ctx, viewer, query);
      return { users: rows.map((row) => toUserRecord(row, viewer)), total };
    },
  });
  implement(app, ctx, contract.readUserRecord, {
    policy: people,
    handle: async ({ ctx, viewer, params, locale }) => await readUser(ctx, viewer, { ref: params.id, locale }),
  });
  implement(app, ctx, contract.updateUserRecord, {
    policy: peopleAndServices,
    handle: async ({ ctx, viewer, params, body, http }) =>
      toUserRecord(await replaceUser(ctx, viewer, { ref: params.id, user: body, requestId: http.requestId }), viewer),
  });
}
