import { listMyAssignments } from '@officium/contract/learner';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as assignments from './assignment.service.ts';
import { toAssignment } from './assignment.view.ts';

export function assignmentRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, listMyAssignments, {
    policy: people,
    handle: async ({ ctx, viewer, locale }) => {
      const rows = await assignments.listMyAssignments(ctx, viewer);
      return { assignments: rows.map((row) => toAssignment(row, locale)) };
    },
  });
}
