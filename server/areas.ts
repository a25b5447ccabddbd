import type { FastifyInstance } from 'fastify';
import { profileRoutes } from './areas/account/profile.routes.ts';
import { emailRoutes } from './areas/auth/email.routes.ts';
import { loginRoutes } from './areas/auth/login.routes.ts';
import { passwordRoutes } from './areas/auth/password.routes.ts';
import { sessionRoutes } from './areas/auth/session.routes.ts';
import { signUpRoutes } from './areas/auth/sign-up.routes.ts';
import { lessonDiscussionRoutes } from './areas/community/lesson-discussion.routes.ts';
import { pollRoutes } from './areas/community/poll.routes.ts';
import { certificateRoutes } from './areas/learner/certificate.routes.ts';
import { completionRoutes } from './areas/learner/completion.routes.ts';
import { courseRoutes } from './areas/learner/course.routes.ts';
import { enrolmentRoutes } from './areas/learner/enrolment.routes.ts';
import { activityRoutes } from './areas/community/activity.routes.ts';
import { communityRoutes } from './areas/community/community.routes.ts';
import { memberRoutes } from './areas/community/member.routes.ts';
import { reactionRoutes } from './areas/community/reaction.routes.ts';
import { articleRoutes } from './areas/content/article.routes.ts';
import { catalogueRoutes } from './areas/content/catalogue.routes.ts';
import { entryRoutes } from './areas/content/entry.routes.ts';
import { contentAssetRoutes } from './http/content-assets.ts';
import type { Ctx } from './ctx.ts';

/** The operations of every area, in the order of the areas' dependencies. */
export function areaRoutes(app: FastifyInstance, ctx: Ctx): void {
  contentAssetRoutes(app, ctx);
  entryRoutes(app, ctx);
  catalogueRoutes(app, ctx);
  articleRoutes(app, ctx);
  sessionRoutes(app, ctx);
  communityRoutes(app, ctx);
  memberRoutes(app, ctx);
  activityRoutes(app, ctx);
  reactionRoutes(app, ctx);
  enrolmentRoutes(app, ctx);
  completionRoutes(app, ctx);
  certificateRoutes(app, ctx);
  courseRoutes(app, ctx);
  signUpRoutes(app, ctx);
  loginRoutes(app, ctx);
  passwordRoutes(app, ctx);
  emailRoutes(app, ctx);
  profileRoutes(app, ctx);
  pollRoutes(app, ctx);
  lessonDiscussionRoutes(app, ctx);
}
