import { createHash } from 'node:crypto';
import { SlugParam } from '@officium/contract/common';
import { DEFAULT_LOCALE, isLocale, type Locale } from '@officium/i18n/locales';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { takeAddressLimit } from '#server/limits/limits.ts';
import { isUnstorable } from '#server/text/storable.ts';
import { atomOf, type Feed, updatedAt } from './atom.ts';
import { articleFeed, communityFeed } from './feed.service.ts';
import { listPart, listParts, PARTS } from './listing.service.ts';
import { keepPictures, readCard } from './picture.service.ts';
import { robotsOf } from './robots.ts';
import { faviconOf, manifestOf, siteCssOf } from './site-files.ts';
import { sitemapIndexOf, sitemapOf } from './sitemap.ts';

const FEED = 'application/atom+xml; charset=utf-8';
const XML = 'application/xml; charset=utf-8';

/** Requests a minute per address, as for the API, and pictures that must be drawn for it. */
const PER_MINUTE = 12_000;
const DRAWINGS = { max: 60, windowSeconds: 60 };
/** A file of the sitemap has some megabytes, and search engines need it rarely. */
const SITEMAPS = { max: 60, windowSeconds: 60 };

/**
 * Files for other programs: sitemap, robots, feeds, and preview pictures of shared pages. Every viewer gets the
 * anonymous answer; hidden objects are missing.
 */
export function pagesRoutes(app: FastifyInstance, ctx: Ctx): void {
  const { publicUrl } = ctx.config;
  const pictures = keepPictures();

  void app.register(async (pages) => {
    pages.addHook('onRequest', async (request) => void ctx.allowances?.takeByAddress(request.ip, PER_MINUTE));

    pages.get('/robots.txt', (request, reply) =>
      answer(request, reply, { type: 'text/plain; charset=utf-8', text: robotsOf(publicUrl) }),
    );

    pages.get('/site.css', (request, reply) =>
      answer(request, reply, { type: 'text/css; charset=utf-8', text: siteCssOf(ctx.site.current()) }),
    );
    pages.get('/favicon.svg', (request, reply) =>
      answer(request, reply, { type: 'image/svg+xml', text: faviconOf(ctx.site.current()) }),
    );
    pages.get('/manifest.webmanifest', (request, reply) =>
      answer(request, reply, { type: 'application/manifest+json', text: manifestOf(ctx.site.current()) }),
    );

    pages.get('/sitemap.xml', async (request, reply) => {
      await takeAddressLimit(ctx, 'sitemap', request.ip, SITEMAPS);
      return answer(request, reply, { type: XML, text: sitemapIndexOf(publicUrl, await listParts(ctx)) });
    });

    pages.get<{ Params: { file: string } }>('/sitemaps/:file', async (request, reply) => {
      await takeAddressLimit(ctx, 'sitemap', request.ip, SITEMAPS);
      const [, name, number] = /^([a-z]+)-([1-9]\d{0,5})\.xml$/.exec(request.params.file) ?? [];
      const part = PARTS.find((one) => one === name);
      const listed = part ? await listPart(ctx, part, Number(number)) : [];
      if (listed.length === 0) throw notFound();
      return answer(request, reply, { type: XML, text: sitemapOf(publicUrl, listed, ctx.site.current().languages) });
    });

    pages.get('/articles/feed.xml', async (request, reply) =>
      sendFeed(request, reply, await articleFeed(ctx, localeOf(request))),
    );

    pages.get<{ Params: { slug: string } }>('/communities/:slug/feed.xml', async (request, reply) => {
      const { slug } = request.params;
      if (!SlugParam.safeParse(slug).success || isUnstorable(slug)) throw notFound();
      return sendFeed(request, reply, await communityFeed(ctx, slug, localeOf(request)));
    });

    pages.get<{ Params: { locale: string; hash: string; '*': string } }>(
      '/pictures/:locale/:hash/*',
      async (request, reply) => {
        const { locale, hash, '*': file } = request.params;
        if (!isLocale(locale) || !file.endsWith('.png')) throw notFound();
        const pathname = file === 'home.png' ? '/' : `/${file.slice(0, -'.png'.length)}`;
        const { card, path } = await readCard(ctx, pathname, locale);
        // The title has changed since, or the address was invented: redirect instead of drawing.
        if (path.split('/')[3] !== hash) return reply.header('cache-control', 'no-cache').redirect(path, 302);
        if (!pictures.has(path)) await takeAddressLimit(ctx, 'picture', request.ip, DRAWINGS);
        return reply
          .type('image/png')
          .header('cache-control', 'public, max-age=604800, immutable')
          .header('cross-origin-resource-policy', 'cross-origin')
          .send(await pictures.get(path, card));
      },
    );
  });
}

/** The language of a feed comes from its address alone, so that all viewers get the same answer. */
function localeOf(request: FastifyRequest): Locale {
  const { locale } = request.query as { locale?: unknown }; // parsed by Fastify, values unknown
  return isLocale(locale) ? locale : DEFAULT_LOCALE;
}

function sendFeed(request: FastifyRequest, reply: FastifyReply, feed: Feed) {
  return answer(request, reply, { type: FEED, text: atomOf(feed), changedAt: new Date(updatedAt(feed)) });
}

type Answer = { type: string; text: string; changedAt?: Date };

/** Sends a text, or 304 to a client that has it. */
function answer(request: FastifyRequest, reply: FastifyReply, { type, text, changedAt }: Answer) {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  reply
    .header('etag', etag)
    .header('cache-control', 'public, max-age=300')
    .header('cross-origin-resource-policy', 'cross-origin');
  if (changedAt) reply.header('last-modified', changedAt.toUTCString());
  return isKnown(request, etag, changedAt) ? reply.code(304).send() : reply.type(type).send(text);
}

/** RFC 9110, 13.2.2: a date counts only without a tag. Compared for equality, since withdrawals can set it back. */
function isKnown({ headers }: FastifyRequest, etag: string, changedAt: Date | undefined): boolean {
  const tags = headers['if-none-match'];
  if (tags !== undefined) return tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  return changedAt !== undefined && headers['if-modified-since'] === changedAt.toUTCString();
}
