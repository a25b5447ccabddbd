import { confirmLoginLink, requestLoginLink, signIn } from '@officium/contract/auth';
import type { FastifyInstance } from 'fastify';
import { everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { confirmLogin, sendLoginLink, signInWithPassword } from './login.service.ts';
import { atEvenPace } from './pace.ts';

export function loginRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, signIn, {
    policy: everyone,
    keyed: false,
    handle: async ({ ctx, body, http }) => {
      const { sessionToken } = await signInWithPassword(ctx, { ...body, origin: http });
      http.openSession(sessionToken);
      return { created: true };
    },
  });
  implement(app, ctx, requestLoginLink, {
    policy: everyone,
    limitByAddress: { max: 60, windowSeconds: 900 },
    handle: async ({ ctx, body, locale }) => {
      await atEvenPace(sendLoginLink(ctx, { email: body.email, chosenLocale: body.locale, locale }));
      return { created: true };
    },
  });
  implement(app, ctx, confirmLoginLink, {
    policy: everyone,
    keyed: false,
    handle: async ({ ctx, body, http }) => {
      const { sessionToken, redirectPath } = await confirmLogin(ctx, { token: body.token, origin: http });
      http.openSession(sessionToken);
      return { redirectPath };
    },
  });
}
