import { confirmLoginLink, requestLoginLink, signIn } from '@officium/contract/auth';
import {
  proveSecondFactor,
  signInWithPasskey,
  startFactorPasskey,
  startPasskeySignIn,
} from '@officium/contract/second-factor';
import type { FastifyInstance } from 'fastify';
import { everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { isPublishedPassword } from '#server/published-password.ts';
import { AppError } from '#server/errors.ts';
import { type Http, implement } from '#server/http/implement.ts';
import { asksForThisMachine } from '#server/access/this-machine.ts';
import { signInByPasskey, startPasskeyStep, takeSecondStep } from './factor-login.service.ts';
import { confirmLogin, sendLoginLink, signInWithPassword } from './login.service.ts';
import { atEvenPace } from './pace.service.ts';
import { proofOptions } from './passkey.service.ts';
import { setSignInCookies } from './sign-in-cookies.routes.ts';

/** Limits steps that store a challenge. Leaves room for an office that signs in behind one address. */
const STARTS = { max: 300, windowSeconds: 900 };

/**
 * Refuses the demo's published password under any other host name: behind an unconfigured proxy, or after DNS
 * rebinding. Installations that are not local have no published password.
 */
function keepPublishedPassword(ctx: Ctx, password: string, { request }: Http): void {
  if (!ctx.config.isLocal || !isPublishedPassword(password) || asksForThisMachine(request.raw)) return;
  ctx.log.warn('sign-in with the demo password refused under another host name: set PUBLIC_URL and TRUST_PROXY');
  throw new AppError('auth.wrong_credentials');
}

export function loginRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, signIn, {
    policy: everyone,
    keyed: false,
    handle: async ({ ctx, body, http }) => {
      keepPublishedPassword(ctx, body.password, http);
      setSignInCookies(http, await signInWithPassword(ctx, { ...body, origin: http }));
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
      const done = await confirmLogin(ctx, { token: body.token, origin: http });
      setSignInCookies(http, done);
      return { redirectPath: done.redirectPath };
    },
  });
  implement(app, ctx, startFactorPasskey, {
    policy: everyone,
    keyed: false,
    limitByAddress: STARTS,
    handle: async ({ ctx, body }) => await startPasskeyStep(ctx, body.challenge),
  });
  implement(app, ctx, proveSecondFactor, {
    policy: everyone,
    keyed: false,
    limitByAddress: STARTS,
    handle: async ({ ctx, body, http }) => {
      const done = await takeSecondStep(ctx, { given: body, origin: http });
      setSignInCookies(http, done);
      return { redirectPath: done.redirectPath };
    },
  });
  implement(app, ctx, startPasskeySignIn, {
    policy: everyone,
    keyed: false,
    limitByAddress: STARTS,
    handle: async ({ ctx }) => await proofOptions(ctx, 'sign-in', null),
  });
  implement(app, ctx, signInWithPasskey, {
    policy: everyone,
    keyed: false,
    limitByAddress: STARTS,
    handle: async ({ ctx, body, http }) => {
      setSignInCookies(http, await signInByPasskey(ctx, { proof: body.passkey, origin: http }));
      return { created: true };
    },
  });
}
