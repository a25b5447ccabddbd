import { checkPassword, requestPasswordReset, setPassword } from '@officium/contract/auth';
import type { FastifyInstance } from 'fastify';
import { everyone, people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { atEvenPace } from './pace.service.ts';
import { changePassword, isMyPassword, startReset } from './password.service.ts';

export function passwordRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, requestPasswordReset, {
    policy: everyone,
    limitByAddress: { max: 60, windowSeconds: 900 },
    handle: async ({ ctx, params }) => ({ userState: await atEvenPace(startReset(ctx, params.email)) }),
  });
  implement(app, ctx, checkPassword, {
    policy: people,
    keyed: false,
    handle: async ({ ctx, viewer, body, http }) => ({
      valid: await isMyPassword(ctx, viewer, body.password, http.address),
    }),
  });
  implement(app, ctx, setPassword, {
    policy: everyone,
    handle: async ({ ctx, viewer, body, http }) => {
      const { sessionToken, device } = await changePassword(ctx, viewer, { update: body, origin: http });
      if (sessionToken) http.openSession(sessionToken);
      if (device) http.rememberDevice(device);
      return { updated: true };
    },
  });
}
