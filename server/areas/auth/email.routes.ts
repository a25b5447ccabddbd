import { changeEmail, confirmEmailChange } from '@officium/contract/auth';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { finishEmailChange, startEmailChange } from './email.service.ts';

export function emailRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, changeEmail, {
    policy: people,
    handle: async ({ ctx, viewer, body, http }) => ({
      updated: await startEmailChange(ctx, viewer, { ...body, address: http.address }),
    }),
  });
  implement(app, ctx, confirmEmailChange, {
    policy: people,
    keyed: false,
    handle: async ({ ctx, viewer, body, http }) => {
      const opened = await finishEmailChange(ctx, viewer, { token: body.token, origin: http });
      if (opened) http.openSession(opened.sessionToken, opened.maxAgeSeconds);
      return { updated: true };
    },
  });
}
