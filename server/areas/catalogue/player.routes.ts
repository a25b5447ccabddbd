import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { isAllowedEmbed, readEmbed } from '#server/text/embeds.ts';
import { escapeHtml } from '#server/text/html.ts';

/** Video players ask for these. */
const FEATURES = 'fullscreen; picture-in-picture';
/** Everything that players need, without navigating our page away. */
const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-presentation';
const STYLE = 'html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block;background:#000}';
const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/**
 * The page that our pages frame to show a player of another site. Only its policy names that site, so the pages with
 * texts keep theirs, also after a navigation by script.
 */
export function playerRoutes(app: FastifyInstance, ctx: Ctx): void {
  app.get<{ Querystring: { src?: unknown; title?: unknown } }>(
    '/player',
    { config: { isData: true } },
    async (request, reply) => {
      const { src, title } = request.query;
      const embed = typeof src === 'string' ? readEmbed(src) : undefined;
      if (!embed || !isAllowedEmbed(embed, ctx.config.peertubeHosts)) throw notFound();
      const name = escapeHtml(typeof title === 'string' ? title.slice(0, 300) : embed.site);
      return await reply
        .header(
          'content-security-policy',
          `default-src 'none';frame-src https://${embed.host};style-src ${STYLE_HASH};frame-ancestors 'self'`,
        )
        .header('x-frame-options', 'SAMEORIGIN')
        .header('cache-control', 'private, max-age=3600')
        .type('text/html; charset=utf-8')
        .send(
          `<!doctype html><title>${name}</title><meta name="robots" content="noindex"><style>${STYLE}</style><iframe src="${escapeHtml(embed.player)}" title="${name}" allow="${FEATURES}" sandbox="${SANDBOX}" referrerpolicy="strict-origin-when-cross-origin"></iframe>`,
        );
    },
  );
}
