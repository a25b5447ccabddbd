import { readMyRegistration, readRegistration, writeRegistration } from '@officium/contract/people';
import type { FastifyInstance } from 'fastify';
import { people, servicesAndAdministrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { decideRegistration, getOwnRegistration, readRegistrationOf } from './registration.service.ts';
import { toOwnRegistration, toRegistration } from './registration.view.ts';

export function registrationRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, readRegistration, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, query }) => toRegistration(await readRegistrationOf(ctx, viewer, query.email)),
  });
  implement(app, ctx, readMyRegistration, {
    policy: people,
    handle: async ({ ctx, viewer }) => toOwnRegistration(await getOwnRegistration(ctx, viewer)),
  });
  implement(app, ctx, writeRegistration, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, body, http }) =>
      toRegistration(await decideRegistration(ctx, viewer, { registration: body, requestId: http.requestId })),
  });
}
