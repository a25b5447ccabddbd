import { remindLearners } from '@officium/contract/cohort-reminders';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { MANAGES_COHORT } from './cohort.policy.ts';
import { remindOf } from './reminder.service.ts';

export function reminderRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, remindLearners, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, body, http }) => await remindOf(ctx, viewer, params, body, http.requestId),
  });
}
