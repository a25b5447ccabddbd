import { previewInvitationMail, readCohortSettings, updateCohortSettings } from '@officium/contract/cohort-settings';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { MANAGES_COHORT } from './cohort.policy.ts';
import { previewInvitation, readSettings, updateSettings } from './cohort-settings.service.ts';

export function cohortSettingsRoutes(app: FastifyInstance, ctx: Ctx): void {
  implement(app, ctx, readCohortSettings, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, params }) => await readSettings(ctx.db, params.id),
  });
  implement(app, ctx, updateCohortSettings, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, viewer, params, body, http }) =>
      await updateSettings(ctx, viewer, params.id, body, http.requestId),
  });
  implement(app, ctx, previewInvitationMail, {
    ...MANAGES_COHORT,
    handle: async ({ ctx, params, body, locale }) => await previewInvitation(ctx, params.id, body, locale),
  });
}
