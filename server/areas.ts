import type { FastifyInstance } from 'fastify';
import { sessionRoutes } from './areas/auth/session.routes.ts';
import type { Ctx } from './ctx.ts';

/** The operations of every area, in the order of the areas' dependencies. */
export function areaRoutes(app: FastifyInstance, ctx: Ctx): void {
  sessionRoutes(app, ctx);
}
