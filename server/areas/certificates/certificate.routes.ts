import { createMyCertificate } from '@officium/contract/assets';
import {
  checkCertificateFile,
  correctMyCertificate,
  issueMyCertificate,
  revokeCertificate,
  verifyCertificate,
} from '@officium/contract/learner';
import { renewMyCertificate } from '@officium/contract/renewals';
import type { FastifyInstance } from 'fastify';
import { administrators, everyone, people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { takeAddressLimit } from '#server/limits/limits.ts';
import * as certificates from './certificate.service.ts';
import { issuerOf } from './issuer.view.ts';
import { renewCertificate } from './renewal.service.ts';
import { certificateAddresses, toCertificate, toVerification } from './certificate.view.ts';

const PUBLIC_LIMIT = { max: 120, windowSeconds: 60 };
const DOCUMENT_VERSION = 1; // raise it when the drawing changes

/** The PDF. The verification page has the same address without `.pdf`, and revoked certificates redirect there. */
function serveDocument(app: FastifyInstance, root: Ctx): void {
  app.get<{ Params: { publicId: string } }>('/certificates/:publicId(^[0-9a-fA-F]{32}).pdf', async (request, reply) => {
    await takeAddressLimit(root, 'certificate', request.ip, PUBLIC_LIMIT);
    const certificate = await certificates.readPublicCertificate(root, request.params.publicId);
    reply.header('x-robots-tag', 'noindex');
    if (certificate.revoked_at !== null) {
      const { verificationUrl } = certificateAddresses(root.config.publicUrl, certificate.public_id);
      return reply.header('cache-control', 'no-store').redirect(verificationUrl, 302);
    }
    const tag = `"${certificate.public_id}-${DOCUMENT_VERSION}"`;
    reply
      .header('etag', tag)
      // Short, because a shared cache must not keep it after a revocation or erasure.
      .header('cache-control', 'public, max-age=60')
      // Browsers display a PDF through an embedded object, which the policy of the pages forbids.
      .header('content-security-policy', "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'");
    if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send();
    return reply
      .header('content-type', 'application/pdf')
      .header('content-disposition', `inline; filename="certificate-${certificate.public_id}.pdf"`)
      .send(await certificates.renderCertificate(root, certificate));
  });
}

export function certificateRoutes(app: FastifyInstance, root: Ctx): void {
  const { publicUrl } = root.config;

  implement(app, root, issueMyCertificate, {
    policy: people,
    handle: async ({ ctx, viewer, params, body, locale, http }) => {
      const input = { ...params, name: body.nameOnCertificate, locale };
      const { certificate, isNew } = await certificates.issueCertificate(ctx, viewer, input);
      if (isNew) http.status(201);
      return { certificate: toCertificate(certificate, publicUrl) };
    },
  });

  implement(app, root, createMyCertificate, {
    policy: people,
    handle: async ({ ctx, viewer, body, locale }) => {
      const input = { ...body, name: body.nameOnCertificate, locale };
      const { certificate } = await certificates.issueCertificate(ctx, viewer, input);
      const { certificateUrl } = certificateAddresses(publicUrl, certificate.publicId);
      return { certificateUrl };
    },
  });

  implement(app, root, verifyCertificate, {
    policy: everyone,
    limitByAddress: PUBLIC_LIMIT,
    handle: async ({ ctx, params, http }) => {
      http.header('x-robots-tag', 'noindex');
      const certificate = await certificates.readPublicCertificate(ctx, params.publicId);
      return toVerification(certificate, issuerOf(ctx, certificate));
    },
  });

  implement(app, root, checkCertificateFile, {
    policy: everyone,
    limitByAddress: PUBLIC_LIMIT,
    handle: async ({ ctx, params }) => await certificates.checkCertificateFile(ctx, params),
  });

  implement(app, root, correctMyCertificate, {
    policy: people,
    handle: async ({ ctx, viewer, params, body }) => {
      const input = { publicId: params.publicId, name: body.nameOnCertificate };
      return { certificate: toCertificate(await certificates.correctCertificate(ctx, viewer, input), publicUrl) };
    },
  });

  implement(app, root, renewMyCertificate, {
    policy: people,
    handle: async ({ ctx, viewer, params }) => {
      await renewCertificate(ctx, viewer, params);
      return undefined;
    },
  });

  implement(app, root, revokeCertificate, {
    policy: administrators,
    handle: async ({ ctx, viewer, params, body }) => {
      await certificates.revokeCertificate(ctx, viewer, { ...params, ...body });
      return undefined;
    },
  });

  serveDocument(app, root);
}
