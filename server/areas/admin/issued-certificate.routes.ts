import { listIssuedCertificates } from '@officium/contract/issued-certificates';
import type { FastifyInstance } from 'fastify';
import { holdersOf } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { listIssued } from './issued-certificate.service.ts';

export function issuedCertificateRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, listIssuedCertificates, {
    policy: holdersOf('read-reports'),
    handle: async ({ ctx, viewer, query }) => await listIssued(ctx, viewer, query),
  });
}
