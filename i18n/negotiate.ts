import { chainOf, DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from './locales.ts';

/** The languages that a site offers its readers; `defaultLanguage` is one of them. */
export type Offer = { languages: readonly Locale[]; defaultLanguage: Locale };

const ALL: Offer = { languages: LOCALES, defaultLanguage: DEFAULT_LOCALE };

export type LocaleSources = {
  /** From `locale` in the query or body of an operation, which accepts every language. */
  explicit?: string | null;
  /** The signed-in user's setting. */
  user?: string | null;
  /** The `locale` cookie. */
  cookie?: string | null;
  acceptLanguage?: string | null;
};

/**
 * The locale of a request: explicit, user, cookie, Accept-Language, else the default. Unknown values are skipped, and
 * all but the explicit one are matched with what the site offers.
 */
export function negotiateLocale(sources: LocaleSources, offer: Offer = ALL): Locale {
  const { explicit, user, cookie, acceptLanguage } = sources;
  if (isLocale(explicit)) return explicit;
  for (const candidate of [user, cookie]) {
    const locale = isLocale(candidate) ? offeredFor(candidate, offer) : undefined;
    if (locale) return locale;
  }
  return fromAcceptLanguage(acceptLanguage, offer) ?? offer.defaultLanguage;
}

/** An explicit locale of a page: pages have only the languages that are offered. */
export function explicitOf(value: string | null, { languages }: Offer): Locale | undefined {
  return isLocale(value) && languages.includes(value) ? value : undefined;
}

/** The locale itself if the site offers it, else another of the same language: fr-CA → fr, fr → fr-CA. */
export function offeredFor(locale: Locale, { languages }: Offer): Locale | undefined {
  const language = languageOf(locale);
  return [...chainOf(locale), ...languages].find((one) => languageOf(one) === language && languages.includes(one));
}

/** The language in which a site addresses a person who chose `locale`. */
export function toOffered(locale: Locale, offer: Offer): Locale {
  return offeredFor(locale, offer) ?? offer.defaultLanguage;
}

const languageOf = (locale: Locale) => locale.split('-', 1)[0];

/** The best supported locale for a BCP 47 tag, or undefined: `es-MX` → es-419, `sr-Latn` → sr-Cyrl, `pt-PT` → pt. */
export function matchLocale(tag: string): Locale | undefined {
  const wanted = tag.toLowerCase();
  const exact = LOCALES.find((locale) => locale.toLowerCase() === wanted);
  if (exact) return exact;
  const [language, ...rest] = wanted.split('-');
  const region = rest.find((part) => part.length === 2 || /^\d{3}$/.test(part));
  if (language === 'es' && region && !['es', 'gq', 'ea', 'ic'].includes(region)) return 'es-419';
  if (language === 'sr') return 'sr-Cyrl';
  return LOCALES.find((locale) => locale === language);
}

// The header is untrusted input: this is enough for any real browser and bounds the work.
const MAX_TAGS = 20;

function fromAcceptLanguage(header: string | null | undefined, offer: Offer): Locale | undefined {
  if (!header) return undefined;
  const wishes = header
    .split(',', MAX_TAGS)
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().split(';');
      const q = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
      return { tag: tag.trim(), quality: q === undefined ? 1 : Number(q) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  const matches = wishes.flatMap(({ tag }) => {
    const known = tag === '*' ? offer.defaultLanguage : matchLocale(tag);
    const locale = known && offeredFor(known, offer);
    return locale ? [{ tag, locale }] : [];
  });
  // `sr-Latn,en` prefers English to Serbian in another script.
  return (matches.find(({ tag, locale }) => isSameScript(tag, locale)) ?? matches[0])?.locale;
}

function isSameScript(tag: string, locale: Locale): boolean {
  const script = /^[a-z]{2,3}-([a-z]{4})(?:-|$)/i.exec(tag)?.[1];
  return script === undefined || script.toLowerCase() === new Intl.Locale(locale).maximize().script?.toLowerCase();
}
