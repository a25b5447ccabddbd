import type { Locale } from '@officium/i18n/locales';
import { xml } from './xml.ts';

/**
 * Addresses per file. The protocol allows 50 000 addresses and 50 MB; an address with its sixteen languages takes some
 * 2 kB, so the size limit comes first.
 */
export const PART_SIZE = 5_000;

export type ListedAddress = { path: string; changedAt?: Date | undefined };

const NAMESPACES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** https://www.sitemaps.org/protocol.html, with the language versions of each page as search engines expect them. */
export function sitemapOf(origin: string, pages: ListedAddress[], languages: readonly Locale[]): string {
  const urls = pages.map((page) => urlOf(origin, page, languages));
  return `${HEAD}<urlset ${NAMESPACES}>\n${urls.join('')}</urlset>\n`;
}

function urlOf(origin: string, { path, changedAt }: ListedAddress, languages: readonly Locale[]): string {
  const address = xml(new URL(path, origin).href);
  const links = languages.map(
    (locale) => `<xhtml:link rel="alternate" hreflang="${locale}" href="${address}?locale=${locale}"/>`,
  );
  links.push(`<xhtml:link rel="alternate" hreflang="x-default" href="${address}"/>`);
  return `<url><loc>${address}</loc>${lastmod(changedAt)}${links.join('')}</url>\n`;
}

export function sitemapIndexOf(origin: string, parts: ListedAddress[]): string {
  const entries = parts.map(
    ({ path, changedAt }) => `<sitemap><loc>${xml(new URL(path, origin).href)}</loc>${lastmod(changedAt)}</sitemap>\n`,
  );
  return `${HEAD}<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</sitemapindex>\n`;
}

function lastmod(moment: Date | undefined): string {
  return moment ? `<lastmod>${moment.toISOString()}</lastmod>` : '';
}
