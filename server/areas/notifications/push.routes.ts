import * as contract from '@officium/contract/push';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { addDevice, readMyPush, removeDevice } from './push.service.ts';

/** A person seldom has more devices to switch on, and each address is one that we call later. */
const LIMIT = { max: 30, windowSeconds: 3600 };

export function pushRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, contract.readPush, {
    policy: people,
    handle: async ({ ctx, viewer }) => await readMyPush(ctx, viewer),
  });
  implement(app, root, contract.addPushDevice, {
    policy: people,
    limitByAccount: LIMIT,
    handle: async ({ ctx, viewer, body }) => await addDevice(ctx, viewer, body),
  });
  implement(app, root, contract.removePushDevice, {
    policy: people,
    handle: async ({ ctx, viewer, params: { id } }) => await removeDevice(ctx, viewer, id),
  });
}
