import { type ReferralRecord, referColleague, referMany } from '@officium/contract/enrolment';
import { listUserReferrals, updateUserReferrals } from '@officium/contract/people-records';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { people, servicesAndAdministrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import type { ReferralRow } from './enrolment.rows.ts';
import * as referrals from './referral.service.ts';

function toReferral({ created_at, updated_at, ...row }: ReferralRow): z.output<typeof ReferralRecord> {
  return { ...row, createdAt: created_at.toISOString(), updatedAt: updated_at.toISOString() };
}

const toList = (rows: ReferralRow[]) => ({ referrals: rows.map(toReferral), total: rows.length });

export function referralRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, referColleague, {
    policy: people,
    handle: async ({ ctx, viewer, body }) => toReferral(await referrals.referColleague(ctx, viewer, body)),
  });
  implement(app, root, referMany, {
    policy: servicesAndAdministrators,
    handle: async ({ ctx, viewer, body, locale }) =>
      toList(await referrals.referMany(ctx, viewer, { ...body, locale })),
  });
  implement(app, root, listUserReferrals, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => toList(await referrals.listReferrals(ctx, viewer, params.userId)),
  });
  implement(app, root, updateUserReferrals, {
    policy: people,
    handle: async ({ ctx, viewer, params, body }) =>
      toList(await referrals.replaceReferrals(ctx, viewer, { ...params, ...body })),
  });
}
