import * as contract from '@officium/contract/notifications';
import type { FastifyInstance } from 'fastify';
import { everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { unsubscribe } from './unsubscribe.service.ts';

const LIMIT = { max: 120, windowSeconds: 60 };

export function unsubscribeRoutes(app: FastifyInstance, root: Ctx): void {
  // Link checkers follow the link of the header too, so GET only redirects to the page and changes nothing.
  implement(app, root, contract.openUnsubscribe, {
    policy: everyone,
    handle: async ({ query, http }) => {
      http.header('location', `/unsubscribe?${new URLSearchParams({ token: query.token })}`);
      http.header('referrer-policy', 'no-referrer');
      return undefined;
    },
  });

  void app.register(async (forms) => {
    // One-click unsubscribing posts a form that repeats the address: its body is ignored.
    forms.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume();
      done(null);
    });
    implement(forms, root, contract.unsubscribe, {
      policy: everyone,
      limitByAddress: LIMIT,
      handle: async ({ ctx, query }) => await unsubscribe(ctx, query.token),
    });
  });
}
