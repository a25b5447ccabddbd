import { useRouteLoaderData } from 'react-router';
import type { LocalizedText } from '@officium/contract/common';
import type { SitePageKind } from '@officium/contract/site';
import { chainOf, isLocale, type Locale, LOCALES } from '@officium/i18n/locales';
import type { FrameSite, RootData, Words } from './root-data.ts';
import type { PageSite } from './server/page-context.ts';

/** The name until the server has said another: the default of PROVIDER_NAME. */
export const DEFAULT_NAME = 'Officium';

/** A text in the reader's language, else along its fallback chain, else in any; null for none. */
export function wordsOf(map: LocalizedText, locale: Locale): Words | null {
  for (const lang of [...chainOf(locale), ...Object.keys(map).toSorted()]) {
    const text = isLocale(lang) ? map[lang] : undefined;
    if (isLocale(lang) && text) return { text, lang };
  }
  return null;
}

export function frameSiteOf(site: PageSite, locale: Locale): FrameSite {
  const { version, name, contact, accent, logo, logoDark, languages } = site;
  const links = site.links.flatMap(({ label, url }) => {
    const words = wordsOf(label, locale);
    return words ? [{ label: words, url }] : [];
  });
  const pages = Object.keys(site.pages) as SitePageKind[]; // read from the list of kinds
  return {
    version,
    name,
    note: wordsOf(site.note, locale),
    links,
    contact,
    logo,
    logoDark,
    hasAccent: accent !== null,
    languages,
    pages,
  };
}

/** The site of this page; null while the frame itself has failed. */
export function useSite(): FrameSite | null {
  return useRouteLoaderData<RootData>('root')?.site ?? null;
}

/** The languages that the site offers; all of them while the frame itself has failed. */
export function useLanguages(): readonly Locale[] {
  return useSite()?.languages ?? LOCALES;
}

export function useSiteName(): string {
  return useSite()?.name ?? DEFAULT_NAME;
}
