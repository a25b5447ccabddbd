import * as contract from '@officium/contract/translation';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { translationRefusal } from '#server/http/translation-refusal.ts';
import { translatePayload } from './payload-translation.service.ts';
import { createTranslationMemory } from './translation-memory.ts';

export function payloadTranslationRoutes(app: FastifyInstance, ctx: Ctx): void {
  const memory = createTranslationMemory();
  implement(app, ctx, contract.translatePayload, {
    policy: people,
    refusal: translationRefusal,
    handle: ({ ctx, viewer, params, body }) =>
      translatePayload(ctx, viewer, { payload: { id: params.id, ...body }, target: params.locale, memory }),
  });
}
