import {
  deleteSession,
  exchangeToken,
  listSessions,
  mintToken,
  readSession,
  refreshIdentity,
  setMemberType,
  setNickname,
  signOut,
} from '@officium/contract/auth';
import type { FastifyInstance } from 'fastify';
import { anyAccount, everyone, people, servicesOnly } from '#server/access/policies.ts';
import { capabilitiesOf } from '#server/access/roles.ts';
import { isActive, isUser, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { implement } from '#server/http/implement.ts';
import { allowedTarget, safeRedirect } from './redirect.policy.ts';
import { endMySession, endThisSession, exchange, getMySessions, mint, refresh } from './session.service.ts';
import { changeUser } from './user.service.ts';

/** The signed-in viewer, and whether an administrator or holder of roles still has to add a second factor. */
function toSessionViewer(ctx: Ctx, viewer: UserViewer) {
  const isStaff = viewer.role === 'administrator' || viewer.roles !== undefined;
  const isDue = isActive(viewer) && isStaff && !viewer.hasSecondFactor;
  return {
    ...viewer,
    secondFactor: viewer.hasSecondFactor,
    capabilities: capabilitiesOf(viewer),
    secondFactorDue: isDue ? ctx.config.adminSecondFactor : null,
  };
}

/** True if a request may open a session. An image or frame embedded in user content must not. */
function opensSession(destination: string | string[] | undefined): boolean {
  return destination === undefined || destination === 'document' || destination === 'empty';
}

function ownSessionRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, readSession, {
    policy: everyone,
    handle: async ({ ctx, viewer }) => ({ viewer: isUser(viewer) ? toSessionViewer(ctx, viewer) : null }),
  });
  implement(app, ctx, listSessions, {
    policy: people,
    handle: async ({ ctx, viewer }) => await getMySessions(ctx, viewer),
  });
  implement(app, ctx, deleteSession, {
    policy: people,
    handle: async ({ ctx, viewer, params, http }) => {
      await endMySession(ctx, viewer, params.id);
      if (params.id === viewer.sessionId) http.closeSession();
      return { deleted: true };
    },
  });
  implement(app, ctx, signOut, {
    policy: anyAccount,
    handle: async ({ ctx, viewer, query, http }) => {
      await endThisSession(ctx, viewer);
      http.closeSession();
      return { deleted: true, logoutUrl: allowedTarget(query.returnTo, ctx.config) };
    },
  });
}

/** Sessions for the users of an external service. */
function tokenRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, mintToken, {
    policy: servicesOnly,
    handle: async ({ ctx, viewer, body, http }) => {
      const { sessionToken, maxAgeSeconds, token } = await mint(ctx, viewer, {
        request: body,
        origin: http,
        requestId: http.requestId,
      });
      http.openSession(sessionToken, maxAgeSeconds);
      return { generated: true, token };
    },
  });
  implement(app, ctx, exchangeToken, {
    policy: everyone,
    handle: async ({ ctx, query, http }) => {
      if (!opensSession(http.request.headers['sec-fetch-dest'])) throw new AppError('auth.wrong_link');
      const { sessionToken, maxAgeSeconds } = await exchange(ctx, { token: query.token, origin: http });
      http.openSession(sessionToken, maxAgeSeconds);
      http.header('referrer-policy', 'no-referrer');
      http.header('location', safeRedirect(query.redirectUrl, ctx.config));
      return undefined;
    },
  });
}

function identityRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, refreshIdentity, {
    policy: people,
    handle: async ({ ctx, viewer }) => {
      await refresh(ctx, viewer);
      return { updated: true };
    },
  });
  implement(app, ctx, setMemberType, {
    policy: people,
    handle: async ({ ctx, viewer, body }) => {
      await changeUser(ctx, ctx.db, viewer.id, { member_type: body.memberType || null });
      return { updated: true };
    },
  });
  implement(app, ctx, setNickname, {
    policy: people,
    handle: async ({ ctx, viewer, body }) => {
      await changeUser(ctx, ctx.db, viewer.id, { nickname: body.nickname || null });
      return { updated: true };
    },
  });
}

export function sessionRoutes(app: FastifyInstance, ctx: Ctx): void {
  ownSessionRoutes(app, ctx);
  tokenRoutes(app, ctx);
  identityRoutes(app, ctx);
}
