import { DEFAULT_LOCALE, isLocale, LOCALES, type Locale } from './locales.ts';

export type LocaleSources = {
  /** From `locale` in the query or body. */
  explicit?: string | null;
  /** The signed-in user's setting. */
  user?: string | null;
  /** The `locale` cookie. */
  cookie?: string | null;
  acceptLanguage?: string | null;
};

/** The locale of a request: explicit, user, cookie, Accept-Language, else en. Unknown values are skipped. */
export function negotiateLocale({ explicit, user, cookie, acceptLanguage }: LocaleSources): Locale {
  for (const candidate of [explicit, user, cookie]) if (isLocale(candidate)) return candidate;
  return fromAcceptLanguage(acceptLanguage) ?? DEFAULT_LOCALE;
}

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

function fromAcceptLanguage(header: string | null | undefined): Locale | undefined {
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
    const locale = tag === '*' ? DEFAULT_LOCALE : matchLocale(tag);
    return locale ? [{ tag, locale }] : [];
  });
  // `sr-Latn,en` prefers English to Serbian in another script.
  return (matches.find(({ tag, locale }) => isSameScript(tag, locale)) ?? matches[0])?.locale;
}

function isSameScript(tag: string, locale: Locale): boolean {
  const script = /^[a-z]{2,3}-([a-z]{4})(?:-|$)/i.exec(tag)?.[1];
  return script === undefined || script.toLowerCase() === new Intl.Locale(locale).maximize().script?.toLowerCase();
}
