import { negotiateLocale } from '@officium/i18n/negotiate';
import type { Locale } from '@officium/i18n/locales';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '#server/ctx.ts';
import type { StoredNotice } from '#server/site/site.ts';
import { createStatus, overallOf } from './checks.ts';
import { statusPage, wordsOf, type PageFonts } from './page.ts';

/**
 * Whether the site works, for everybody, as a page and as JSON. Both come from memory and checks of their own, without
 * a session, so that they are served while the database is away or the site is overloaded.
 */
export function statusRoutes(app: FastifyInstance, ctx: Ctx, fonts?: PageFonts): void {
  const status = createStatus(ctx);
  const localeOf = (request: FastifyRequest): Locale => {
    const site = ctx.site.current();
    const { locale } = request.query as { locale?: unknown }; // parsed by Fastify, values unknown
    const explicit = site.languages.find((one) => one === locale);
    const sources = { cookie: request.cookies['locale'], acceptLanguage: request.headers['accept-language'] };
    return negotiateLocale({ explicit, user: undefined, ...sources }, site);
  };
  /** The notices for everyone that hold now. */
  const notices = (): StoredNotice[] => {
    const now = ctx.clock.now();
    return ctx.site
      .current()
      .notices.filter(({ audience }) => audience === 'everyone')
      .filter(({ startsAt, endsAt }) => startsAt <= now && (endsAt === null || endsAt > now));
  };
  const fresh = (reply: FastifyReply) => reply.header('cache-control', 'no-store').header('vary', 'accept-language');

  app.get('/status', async (request, reply) => {
    const locale = localeOf(request);
    const page = statusPage(
      { status: await status(), site: ctx.site.current(), notices: notices(), locale, fonts },
      reply.cspNonce?.style ?? '',
    );
    return fresh(reply)
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-language', locale)
      .send(page);
  });

  app.get('/status.json', async (request, reply) => {
    const locale = localeOf(request);
    const found = await status();
    const said = notices().flatMap((notice) => {
      const words = wordsOf(notice, locale);
      return words ? [{ level: notice.level, ...words, startsAt: notice.startsAt, endsAt: notice.endsAt }] : [];
    });
    return fresh(reply).send({
      status: overallOf(found),
      checkedAt: found.checkedAt,
      parts: found.parts,
      notices: said,
    });
  });
}
