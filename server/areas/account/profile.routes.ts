import {
  confirmMySignUp,
  createProfile,
  readProfile,
  setLocale,
  setVisibility,
  updateProfile,
} from '@officium/contract/account';
import type { FastifyInstance } from 'fastify';
import { anyAccount, people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { confirmCode } from '#server/areas/auth/sign-up.service.ts';
import { setSignInCookies } from '#server/areas/auth/sign-in-cookies.routes.ts';
import { changeUser } from '#server/areas/auth/user.service.ts';
import { getProfileFor, writeMyProfile } from './profile.service.ts';

export function profileRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, createProfile, {
    policy: people,
    handle: async ({ ctx, viewer, body, locale }) => await writeMyProfile(ctx, viewer, { write: body, locale }),
  });
  implement(app, ctx, updateProfile, {
    policy: people,
    handle: async ({ ctx, viewer, body, locale }) => await writeMyProfile(ctx, viewer, { write: body, locale }),
  });
  implement(app, ctx, readProfile, {
    policy: people,
    handle: async ({ ctx, viewer, params, query, locale }) =>
      await getProfileFor(ctx, viewer, { id: params.id, locale, as: query.as }),
  });
  implement(app, ctx, setLocale, {
    policy: people,
    handle: async ({ ctx, viewer, body, http }) => {
      await changeUser(ctx, ctx.db, viewer.id, { locale: body.locale, locale_chosen: true });
      const secure = ctx.config.secure ? '; Secure' : '';
      http.header('set-cookie', `locale=${body.locale}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`);
      return { locale: body.locale };
    },
  });
  implement(app, ctx, setVisibility, {
    policy: people,
    handle: async ({ ctx, viewer, body }) => {
      await changeUser(ctx, ctx.db, viewer.id, { visibility: body.visibility });
      return { visibility: body.visibility };
    },
  });
  implement(app, ctx, confirmMySignUp, {
    policy: anyAccount,
    limitByAddress: { max: 60, windowSeconds: 600 },
    handle: async ({ ctx, viewer, body, http }) => {
      const confirmed = await confirmCode(ctx, { ...body, origin: http, onlyUserId: viewer.id });
      setSignInCookies(http, confirmed);
      return { redirectPath: confirmed.redirectPath };
    },
  });
}
