import { changeEnrolments, enrolMany, enrolPerson, withdrawPerson } from '@officium/contract/enrolment';
import type { FastifyInstance } from 'fastify';
import { servicesAndAdministrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as enrolments from './enrolment.service.ts';
import { toEnrolment } from './enrolment.view.ts';

export function addressEnrolmentRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, enrolPerson, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, body }) => {
      const { input, rows } = await enrolments.enrolPerson(ctx, viewer, body);
      return toEnrolment(input, rows);
    },
  });
  implement(app, root, enrolMany, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, body }) => {
      const accepted = await enrolments.enrolMany(ctx, viewer, body.enrolments);
      return { enrolments: accepted.map(({ input, rows }) => toEnrolment(input, rows)), total: accepted.length };
    },
  });
  implement(app, root, changeEnrolments, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, params, body }) => {
      const { input, rows } = await enrolments.changeEnrolments(ctx, viewer, { path: params.email, body });
      return toEnrolment(input, rows);
    },
  });
  implement(app, root, withdrawPerson, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, params, query }) => {
      await enrolments.withdrawPerson(ctx, viewer, { ...params, ...query });
      return { deleted: true };
    },
  });
}
