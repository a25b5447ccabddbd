import type { FastifyRequest } from 'fastify';
import { explicitOf, negotiateLocale } from '@officium/i18n/negotiate';
import { DISMISSED, keyOf, shownAt } from './app/notice-times.ts';
import type { PageSite } from './app/server/page-context.ts';

/** Reads the version of all data: equal texts mean that a page would be rendered from the same data. */
export type ReadVersion = () => Promise<string>;

/** A finished page, split where its nonce stood. */
export type VisitorPage = { parts: Buffer[]; headers: [string, string][] };

export function withoutNonce(html: string, nonce: string): Buffer[] {
  return html.split(nonce).map((part) => Buffer.from(part));
}

/** The page with the nonce of one answer. */
export function withNonce(parts: Buffer[], nonce: string | undefined): Buffer {
  const own = Buffer.from(nonce ?? '');
  return Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [own, part])));
}

type Kept = VisitorPage & { version: string; madeAt: number; bytes: number };

/** A visitor who asks for a page, and what the page depends on beside its data. */
type Visit = { key: string };

/** The parts of the site on which a page depends, beside its version. */
export type VisitedSite = Pick<PageSite, 'version' | 'languages' | 'defaultLanguage' | 'notices'>;

type Cookies = Record<string, string | undefined>;

export type VisitorPages = {
  /** Undefined for requests whose answer may be another visitor's business. */
  visitOf(request: FastifyRequest, cookies: Cookies, site: VisitedSite): Visit | undefined;
  /** The page, if it is still right; else the version of the data from which to make it. */
  find(visit: Visit): Promise<{ page: VisitorPage } | { version: string | undefined }>;
  keep(visit: Visit, page: VisitorPage, from: { version: string | undefined }): void;
};

/** Pages that show everyone without a session the same. None of them consumes a secret or answers a form. */
const SHARED =
  /^\/(?:$|(?:courses|academies|microcourses|hubs|questions|solutions|events|communities|articles|accessibility-statement|privacy|terms|legal-notice|moderation-report)(?:\/[^.]*)?$)/;

/** Cookies of visitors on which a page depends, by its key, and those on which no page depends. */
const IN_KEY = ['theme', 'tz', DISMISSED] as const;
const HARMLESS = new Set<string>([...IN_KEY, 'locale', 'device', '__Host-device']);

/** Texts such as "5 minutes ago" may be this much behind. */
const MAX_AGE_MS = 10_000;
const MAX_BYTES = 32 * 2 ** 20;
const MAX_URL = 300;
/** A path that may lead out of the one it begins with: parsers of addresses read `%2e` as a dot and `\` as a slash. */
const MAY_LEAVE = /%2e|%5c|\\/i;

/** Keeps pages of visitors without a session. A page is sent again only while the data has its version. */
export function createVisitorPages(readVersion: ReadVersion): VisitorPages {
  const pages = new Map<string, Kept>();
  let bytes = 0;

  function forget(key: string): void {
    bytes -= pages.get(key)?.bytes ?? 0;
    pages.delete(key);
  }

  return {
    visitOf({ method, headers, url }, cookies, site) {
      if (method !== 'GET' || url.length > MAX_URL || headers.authorization !== undefined) return undefined;
      const [path = '', search = ''] = url.split('?', 2);
      if (!SHARED.test(path) || MAY_LEAVE.test(path) || Object.keys(cookies).some((name) => !HARMLESS.has(name)))
        return undefined;
      const explicit = explicitOf(new URLSearchParams(search).get('locale'), site);
      const sources = { explicit, cookie: cookies['locale'], acceptLanguage: headers['accept-language'] };
      const locale = negotiateLocale(sources, site);
      const notices = shownAt(site.notices, Date.now()).map(keyOf);
      return {
        key: JSON.stringify([url, locale, site.version, notices, ...IN_KEY.map((name) => cookies[name] ?? '')]),
      };
    },

    async find({ key }) {
      // If the database does not answer, the page is rendered and shows the error itself.
      const version = await readVersion().catch(() => undefined);
      const kept = pages.get(key);
      const isRight = kept !== undefined && kept.version === version && performance.now() - kept.madeAt < MAX_AGE_MS;
      return isRight ? { page: kept } : { version };
    },

    keep({ key }, page, { version }) {
      if (version === undefined) return;
      forget(key);
      const length = page.parts.reduce((sum, part) => sum + part.length, key.length);
      pages.set(key, { ...page, version, madeAt: performance.now(), bytes: length });
      bytes += length;
      for (const oldest of pages.keys()) {
        if (bytes <= MAX_BYTES) break;
        forget(oldest);
      }
    },
  };
}
