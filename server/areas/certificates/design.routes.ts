import { Readable } from 'node:stream';
import { previewCertificate } from '@officium/contract/site-settings';
import type { FastifyInstance } from 'fastify';
import { administrators } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { FileReply } from '#server/http/replies.ts';
import * as designs from './design.service.ts';

/** Drawing takes about as long as a hundred reads. */
const DRAWING_LIMIT = { max: 20, windowSeconds: 60 };

export function designRoutes(app: FastifyInstance, root: Ctx): void {
  implement(app, root, previewCertificate, {
    policy: administrators,
    limitByAccount: DRAWING_LIMIT,
    handle: async ({ ctx, query, locale }) => {
      const content = await designs.previewCertificate(ctx, query, locale);
      return new FileReply({ content: Readable.from([content]), bytes: content.length, name: 'certificate.pdf' });
    },
  });
}
