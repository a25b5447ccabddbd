import type { FastifyInstance } from 'fastify';
import { sessionRoutes } from './areas/auth/session.routes.ts';
import { lessonDiscussionRoutes } from './areas/community/lesson-discussion.routes.ts';
import { pollRoutes } from './areas/community/poll.routes.ts';
import { certificateRoutes } from './areas/learner/certificate.routes.ts';
import { completionRoutes } from './areas/learner/completion.routes.ts';
import { courseRoutes } from './areas/learner/course.routes.ts';
import { enrolmentRoutes } from './areas/learner/enrolment.routes.ts';
import type { Ctx } from './ctx.ts';

/** The operations of every area, in the order of the areas' dependencies. */
export function areaRoutes(app: FastifyInstance, ctx: Ctx): void {
  sessionRoutes(app, ctx);
  pollRoutes(app, ctx);
  lessonDiscussionRoutes(app, ctx);
  enrolmentRoutes(app, ctx);
  completionRoutes(app, ctx);
  certificateRoutes(app, ctx);
  courseRoutes(app, ctx);
}
