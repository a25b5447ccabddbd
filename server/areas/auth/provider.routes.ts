import { finishProviderSignIn, readSignInWays, startProviderSignIn } from '@officium/contract/provider-sign-in';
import type { FastifyInstance } from 'fastify';
import { everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import * as provider from './provider.service.ts';
import { setSignInCookies } from './sign-in-cookies.routes.ts';

const TRIES = { max: 300, windowSeconds: 900 };

export function providerRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, readSignInWays, {
    policy: everyone,
    handle: async ({ ctx }) => ({ provider: ctx.identityProvider ? { name: ctx.identityProvider.name } : null }),
  });
  implement(app, ctx, startProviderSignIn, {
    policy: everyone,
    keyed: false,
    limitByAddress: TRIES,
    handle: async ({ ctx, body }) => await provider.startProviderSignIn(ctx, body.next),
  });
  implement(app, ctx, finishProviderSignIn, {
    policy: everyone,
    keyed: false,
    limitByAddress: TRIES,
    handle: async ({ ctx, viewer, body, locale, http }) => {
      const done = await provider.finishProviderSignIn(ctx, viewer, {
        ...body,
        locale,
        origin: http,
      });
      setSignInCookies(http, done);
      return { redirectPath: done.redirectPath };
    },
  });
}
