import { readLinkPreview } from '@officium/contract/assets';
import type { FastifyInstance } from 'fastify';
import { people } from '#server/access/policies.ts';
import type { Ctx } from '#server/ctx.ts';
import { implement } from '#server/http/implement.ts';
import { createLinkPreviews } from './link-preview.service.ts';

export function linkPreviewRoutes(app: FastifyInstance, root: Ctx): void {
  const previewOf = createLinkPreviews({ allow: root.config.linkPreviewAllow });
  implement(app, root, readLinkPreview, {
    policy: people,
    handle: async ({ ctx, viewer, params, http }) => {
      const preview = await previewOf(ctx, viewer, params.encodedUrl);
      http.header('cache-control', 'private, max-age=3600');
      return preview;
    },
  });
}
