import * as contract from '@officium/contract/translation';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { translationRefusal } from '#server/http/translation-refusal.ts';
import { translatePayload } from './payload-translation.service.ts';

export function payloadTranslationRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, contract.translatePayload, {
    policy: people,
    refusal: translationRefusal,
    handle: ({ ctx, viewer, params, body }) =>
      translatePayload(ctx, viewer, { payload: { id: params.id, ...body }, target: params.locale }),
  });
  // The same translation for pages, with the fields its own contract names.
  implement(app, ctx, contract.readPayloadTranslation, {
    policy: people,
    handle: ({ ctx, viewer, params, query }) =>
      translatePayload(ctx, viewer, { payload: { id: params.id, ...query }, target: params.locale }),
  });
}
