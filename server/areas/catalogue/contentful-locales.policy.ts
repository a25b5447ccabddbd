import { type Locale, LOCALES } from '@officium/contract/common';

export type ContentfulLocale = {
  code: string;
  fallbackCode?: string | null | undefined;
  default?: boolean | undefined;
};
export type LocaleMap = {
  /** Our locale by the source's code; unsupported languages are absent. */
  toProduct: Map<string, Locale>;
  /** Source codes of each of our locales, in order of precedence. */
  sources: Map<Locale, string[]>;
  /** The locale to use when a field has no value in this one. */
  fallbacks: Partial<Record<Locale, Locale>>;
  defaultLocale: Locale | undefined;
  unmapped: string[];
};

/** Regions of European Spanish. All other regions map to Latin American Spanish. */
const EUROPEAN_SPANISH = new Set(['ES', 'EA', 'IC', 'GQ', 'PH', 'AD', 'GI']);

/** Maps a BCP 47 tag to our nearest locale; undefined for an unsupported language. */
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
  // Serbian in Latin script is not mapped to Cyrillic Serbian.
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
    // The sort is stable, so among equals the first one wins.
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

/** Follows the source's fallback chain past unsupported languages to our first other locale. */
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
