import * as contract from '@officium/contract/notifications';
import type { FastifyInstance } from 'fastify';
import { everyone } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { unsubscribe } from './unsubscribe.service.ts';

const LIMIT = { max: 120, windowSeconds: 60 };

export function unsubscribeRoutes(app: FastifyInstance, root: Ctx): void {
  // Programs follow the link of the header when people ask them to, and others look where it leads: nothing ends here.
  implement(app, root, contract.openUnsubscribe, {
    policy: everyone,
    handle: async ({ query, http }) => {
      http.header('location', `/unsubscribe?${new URLSearchParams({ token: query.token })}`);
      http.header('referrer-policy', 'no-referrer');
      return undefined;
    },
  });

  void app.register(async (forms) => {
    // One click sends a form, which says nothing that the address does not.
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
