import {
  enrolMyself,
  listMyCourses,
  listMyJourneys,
  listMyJourneysOfCourse,
  readMyLearning,
  seeMyChanges,
} from '@officium/contract/learner';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { seeChanges } from './change.service.ts';
import * as enrolments from './enrolment.service.ts';
import { toCourseRecord, toJourneyEnrolment, toMyJourney, toMyLearning } from './enrolment.view.ts';

export function enrolmentRoutes(app: FastifyInstance, root: Ctx): void {
  const { publicUrl } = root.config;

  implement(app, root, enrolMyself, {
    policy: people,
    limitByAccount: { max: 120, windowSeconds: 3600 },
    handle: async ({ ctx, viewer, body, locale }) =>
      toJourneyEnrolment(await enrolments.enrolMyself(ctx, viewer, { ...body, locale })),
  });

  implement(app, root, listMyJourneys, {
    policy: people,
    handle: async ({ ctx, viewer }) => {
      const rows = await enrolments.listMyEnrolments(ctx, viewer);
      return { journeys: rows.map(toJourneyEnrolment), total: rows.length };
    },
  });

  implement(app, root, listMyCourses, {
    policy: people,
    handle: async ({ ctx, viewer, query }) => {
      const rows = await enrolments.listMyEnrolments(ctx, viewer, query.courseSlug);
      return { courses: rows.map((row) => toCourseRecord(row, publicUrl)), total: rows.length };
    },
  });

  implement(app, root, listMyJourneysOfCourse, {
    policy: people,
    handle: async ({ ctx, viewer, params, locale }) => {
      const rows = await enrolments.listMyEnrolmentsOfCourse(ctx, viewer, params.courseSlug);
      return { journeys: rows.map((row) => toMyJourney(row, locale, publicUrl)), total: rows.length };
    },
  });

  implement(app, root, readMyLearning, {
    policy: people,
    handle: async ({ ctx, viewer, locale }) => {
      const rows = await enrolments.readMyLearning(ctx, viewer);
      return { journeys: rows.map((row) => toMyLearning(row, locale, publicUrl)), total: rows.length };
    },
  });

  implement(app, root, seeMyChanges, {
    policy: people,
    handle: async ({ ctx, viewer, params, body }) => {
      await seeChanges(ctx, viewer, { ...params, ...body });
      return undefined;
    },
  });
}
