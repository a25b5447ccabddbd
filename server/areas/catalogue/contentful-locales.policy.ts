import { type Locale, LOCALES } from '@officium/contract/common';

export type ContentfulLocale = {
  code: string;
  fallbackCode?: string | null | undefined;
  default?: boolean | undefined;
};
export type LocaleMap = {
  /** By the source's code; codes of languages we do not have are not in it. */
  toProduct: Map<string, Locale>;
  /** The source's codes of one product locale, the one that wins first. */
  sources: Map<Locale, string[]>;
  /** The next product locale to look into when a field has no value. */
  fallbacks: Partial<Record<Locale, Locale>>;
  defaultLocale: Locale | undefined;
  unmapped: string[];
};

/** Spanish of these is European Spanish; of every other region it is that of Latin America. */
const EUROPEAN_SPANISH = new Set(['ES', 'EA', 'IC', 'GQ', 'PH', 'AD', 'GI']);

/** The product's locale nearest to a BCP 47 tag; undefined when the language is not among ours. */
export function bestLocale(code: string): Locale | undefined {
  const exact = LOCALES.find((locale) => locale.toLowerCase() === code.toLowerCase());
  if (exact) return exact;
  let tag: Intl.Locale;
  try {
    tag = new Intl.Locale(code.replaceAll('_', '-'));
  } catch {
    return undefined;
  }
  if (tag.language === 'es') return !tag.region || EUROPEAN_SPANISH.has(tag.region) ? 'es' : 'es-419';
  // Serbian in Latin letters is not what readers of the Cyrillic one asked for.
  if (tag.language === 'sr') return tag.script && tag.script !== 'Cyrl' ? undefined : 'sr-Cyrl';
  return (
    LOCALES.find((locale) => locale === `${tag.language}-${tag.region}`) ??
    LOCALES.find((locale) => locale === tag.language)
  );
}

export function mapLocales(locales: ContentfulLocale[]): LocaleMap {
  const map: LocaleMap = {
    toProduct: new Map(),
    sources: new Map(),
    fallbacks: {},
    defaultLocale: undefined,
    unmapped: [],
  };
  for (const { code, default: isDefault } of locales) {
    const locale = bestLocale(code);
    if (!locale) {
      map.unmapped.push(code);
      continue;
    }
    map.toProduct.set(code, locale);
    const rank = (source: string) => {
      if (source.toLowerCase() === locale.toLowerCase()) return 0;
      return locales.find((other) => other.code === source)?.default ? 1 : 2;
    };
    // The sort is stable: among equals the one named first wins.
    map.sources.set(
      locale,
      [...(map.sources.get(locale) ?? []), code].sort((a, b) => rank(a) - rank(b)),
    );
    if (isDefault) map.defaultLocale = locale;
  }
  for (const [locale, [winner]] of map.sources) {
    const next = nextProductLocale(locales, winner, locale, map);
    if (next) map.fallbacks[locale] = next;
  }
  return map;
}

/** Follows the source's chain, over languages we do not have, to the first other locale of ours. */
function nextProductLocale(locales: ContentfulLocale[], start: string | undefined, own: Locale, map: LocaleMap) {
  const seen = new Set<string>();
  for (let code = start; code && !seen.has(code);) {
    seen.add(code);
    const locale = map.toProduct.get(code);
    if (locale && locale !== own) return locale;
    const current: string = code;
    code = locales.find((other) => other.code === current)?.fallbackCode ?? undefined;
  }
  return undefined;
}
