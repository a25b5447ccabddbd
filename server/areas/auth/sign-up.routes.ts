import { checkEmail, confirmSignUp, createAccount, deleteAccount, resendSignUpCode } from '@officium/contract/auth';
import type { FastifyInstance } from 'fastify';
import { everyone, provenAccounts } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { atEvenPace } from './pace.service.ts';
import { confirmCode, resendCode, signUp } from './sign-up.service.ts';
import { setSignInCookies } from './sign-in-cookies.routes.ts';
import { eraseByEmail, getUserByEmail } from './user.service.ts';

export function signUpRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, createAccount, {
    policy: everyone,
    keyed: 'by-address',
    handle: async ({ ctx, viewer, query, body, locale, http }) => {
      const { sessionToken } = await signUp(ctx, viewer, {
        signUp: body,
        approved: query.approved,
        locale,
        origin: http,
      });
      if (sessionToken) http.openSession(sessionToken);
      return { created: true };
    },
  });
  implement(app, ctx, confirmSignUp, {
    policy: everyone,
    limitByAddress: { max: 60, windowSeconds: 600 },
    keyed: 'by-address',
    handle: async ({ ctx, body, http }) => {
      const done = await confirmCode(ctx, { ...body, origin: http });
      setSignInCookies(http, done);
      return { redirectPath: done.redirectPath };
    },
  });
  implement(app, ctx, resendSignUpCode, {
    policy: everyone,
    limitByAddress: { max: 30, windowSeconds: 600 },
    handle: async ({ ctx, body }) => {
      await atEvenPace(resendCode(ctx, body.email));
      return { created: true };
    },
  });
  implement(app, ctx, checkEmail, {
    policy: everyone,
    limitByAddress: { max: 10, windowSeconds: 60 },
    handle: async ({ ctx, params }) => ({ emailExists: (await getUserByEmail(ctx.db, params.email)) !== undefined }),
  });
  implement(app, ctx, deleteAccount, {
    policy: provenAccounts,
    handle: async ({ ctx, viewer, params, http }) => {
      const { isOwn } = await eraseByEmail(ctx, viewer, params.email, http.requestId);
      if (isOwn) http.closeSession();
      return { deleted: true };
    },
  });
}
