import { readCourseCompletion } from '@officium/contract/course-reports';
import type { FastifyInstance } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { readCourseReport } from './course-report.service.ts';

export function courseReportRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, readCourseCompletion, {
    policy: holdersOf('read-reports'),
    handle: async ({ ctx, viewer, params, query, locale }) =>
      await readCourseReport(ctx, viewer, { slug: params.courseSlug, locale, filter: query }),
  });
}
