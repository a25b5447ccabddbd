import { readSitePage, type SitePageKind } from '@officium/contract/site';
import type { Locale } from '@officium/i18n/locales';
import type { Api } from '../../server/api.ts';
import type { PageSite } from '../../server/page-context.ts';
import type { OwnText } from './own-text.tsx';

/** Loads the site's own text for a page; null if it has none. */
export async function readOwnText(
  { api, site, locale }: { api: Api; site: PageSite; locale: Locale },
  kind: SitePageKind,
): Promise<OwnText | null> {
  if (site.pages[kind] === undefined) return null;
  const page = await api(readSitePage, { params: { kind }, query: { locale } });
  return { html: page.bodyHtml, lang: page.locale, changedAt: page.changedAt };
}
