import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createIntl, createIntlCache } from '@formatjs/intl';
import { chainOf, dateLocaleOf, dirOf, type Direction, type Locale } from './locales.ts';

export type Messages = Record<string, string>;
export type MessageValues = Record<string, string | number | boolean | Date | null | undefined>;

export const MESSAGES_DIR = fileURLToPath(new URL('./messages', import.meta.url));

/** Messages of one locale from all areas, without fallback. Read from disk each time. */
export function readMessages(locale: Locale): Messages {
  const messages: Messages = {};
  let files: string[];
  try {
    files = readdirSync(`${MESSAGES_DIR}/${locale}`).filter((file) => file.endsWith('.json'));
  } catch {
    return messages; // not translated yet
  }
  for (const file of files.sort()) {
    Object.assign(messages, JSON.parse(readFileSync(`${MESSAGES_DIR}/${locale}/${file}`, 'utf8')));
  }
  return messages;
}

/** Messages of the locale, with gaps filled along its fallback chain. Read from disk each time. */
export function mergeMessages(locale: Locale): Messages {
  return Object.assign({}, ...chainOf(locale).reverse().map(readMessages));
}

const catalogues = new Map<Locale, Messages>();

/** The merged messages of a locale, read once per process. */
export function catalogueOf(locale: Locale): Messages {
  let catalogue = catalogues.get(locale);
  if (!catalogue) catalogues.set(locale, (catalogue = mergeMessages(locale)));
  return catalogue;
}

export type Translator = {
  locale: Locale;
  dir: Direction;
  /** The text of a key. Throws for a key that is in no catalogue, because that is a programming error. */
  t: (id: string, values?: MessageValues) => string;
  formatDate: (value: Date | string, options?: Intl.DateTimeFormatOptions) => string;
  formatNumber: (value: number, options?: Intl.NumberFormatOptions) => string;
};

const translators = new Map<Locale, Translator>();
const cache = createIntlCache();

/**
 * Texts and dates in one locale, for mails, jobs and documents. Times are in UTC. One instance per locale and process.
 */
export function createTranslator(locale: Locale): Translator {
  const known = translators.get(locale);
  if (known) return known;
  const messages = catalogueOf(locale);
  const intl = createIntl({ locale, defaultLocale: locale, messages, timeZone: 'UTC', onError: raise }, cache);
  const dateLocale = dateLocaleOf(locale);
  const dates = createIntl({ locale: dateLocale, defaultLocale: dateLocale, timeZone: 'UTC', onError: raise }, cache);
  const translator: Translator = {
    locale,
    dir: dirOf(locale),
    t: (id, values) => {
      if (!Object.hasOwn(messages, id)) throw new Error(`no text for ${id}`);
      return intl.formatMessage({ id }, values);
    },
    formatDate: (value, options) => dates.formatDate(value, { dateStyle: 'long', ...options }),
    formatNumber: (value, options) => new Intl.NumberFormat(locale, options).format(value),
  };
  translators.set(locale, translator);
  return translator;
}

function raise(error: unknown): never {
  throw error;
}
