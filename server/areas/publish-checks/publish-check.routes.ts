import { checkContent, listContentFindings } from '@officium/contract/content-checks';
import type { FastifyInstance } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { takeChecking } from './checked-text.service.ts';
import { checkText } from './publish-check.policy.ts';
import { listFindings } from './publish-check.service.ts';

const policy = holdersOf('read-content');

export function publishCheckRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, checkContent, {
    policy,
    handle: async ({ ctx, viewer, body }) => {
      await takeChecking(ctx, viewer, body.text);
      const findings = checkText(body.text, body.locale);
      return { findings, total: findings.length };
    },
  });
  implement(app, root, listContentFindings, {
    policy,
    handle: async ({ ctx, viewer, query, locale }) => await listFindings(ctx, viewer, { query, locale }),
  });
}
