import type { Locale } from '@officium/contract/common';

export type { Locale };
export type Direction = 'ltr' | 'rtl';

type LocaleInfo = {
  /** The language's own name for itself. */
  endonym: string;
  dir: Direction;
  /** Locales to fall back to for a missing text, nearest first; always ends in en. */
  fallback: readonly Locale[];
};

// The contract's list is imported as a type only, because its module would bring zod into the browser. `Record<Locale,
// …>` makes a missing or surplus locale a type error.
const TABLE: Record<Locale, LocaleInfo> = {
  ar: { endonym: 'العربية', dir: 'rtl', fallback: ['en'] },
  de: { endonym: 'Deutsch', dir: 'ltr', fallback: ['en'] },
  en: { endonym: 'English', dir: 'ltr', fallback: [] },
  es: { endonym: 'Español', dir: 'ltr', fallback: ['en'] },
  'es-419': { endonym: 'Español (Latinoamérica)', dir: 'ltr', fallback: ['es', 'en'] },
  fr: { endonym: 'Français', dir: 'ltr', fallback: ['en'] },
  'fr-CA': { endonym: 'Français (Canada)', dir: 'ltr', fallback: ['fr', 'en'] },
  id: { endonym: 'Bahasa Indonesia', dir: 'ltr', fallback: ['en'] },
  it: { endonym: 'Italiano', dir: 'ltr', fallback: ['en'] },
  ja: { endonym: '日本語', dir: 'ltr', fallback: ['en'] },
  ko: { endonym: '한국어', dir: 'ltr', fallback: ['en'] },
  pl: { endonym: 'Polski', dir: 'ltr', fallback: ['en'] },
  pt: { endonym: 'Português', dir: 'ltr', fallback: ['en'] },
  'pt-BR': { endonym: 'Português (Brasil)', dir: 'ltr', fallback: ['pt', 'en'] },
  'sr-Cyrl': { endonym: 'Српски', dir: 'ltr', fallback: ['en'] },
  vi: { endonym: 'Tiếng Việt', dir: 'ltr', fallback: ['en'] },
};

export const DEFAULT_LOCALE: Locale = 'en';
/** All locales, sorted by endonym, as language menus show them. */
export const LOCALES = Object.keys(TABLE) as Locale[]; // the keys are Locale by construction

export function isLocale(value: unknown): value is Locale {
  return typeof value === 'string' && Object.hasOwn(TABLE, value);
}

export function endonymOf(locale: Locale): string {
  return TABLE[locale].endonym;
}

export function dirOf(locale: Locale): Direction {
  return TABLE[locale].dir;
}

/** The locale itself and its fallbacks: fr-CA, fr, en. */
export function chainOf(locale: Locale): Locale[] {
  return [locale, ...TABLE[locale].fallback];
}

/**
 * The locale that formats dates and times. English has the day before the month everywhere: readers of many countries
 * share it, and "27 November 2026, 07:19" misleads nobody.
 */
export function dateLocaleOf(locale: string): string {
  return locale === 'en' ? 'en-GB' : locale;
}
