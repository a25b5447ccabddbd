import * as contract from '@officium/contract/job-tasks';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { analyseJob, classifyTask } from './job-task.service.ts';

export function jobTaskRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.classifyTask, {
    policy: people,
    handle: ({ ctx, viewer, locale, body }) => classifyTask(ctx, viewer, { ...body, locale: body.locale ?? locale }),
  });
  implement(app, ctx, contract.analyseJob, {
    policy: people,
    handle: ({ ctx, viewer, locale, body }) => analyseJob(ctx, viewer, { ...body, locale: body.locale ?? locale }),
  });
}
