import type { SiteIdentity } from '@officium/contract/site';
import { DEFAULT_LOCALE, isLocale, LOCALES } from '@officium/i18n/locales';
import { textOf } from '../../form/fields.ts';

/** The submitted languages; null when all are chosen, so that one which a later version brings is offered too. */
export function languagesOf(fields: FormData): Pick<SiteIdentity, 'languages' | 'defaultLanguage'> {
  const sent = textOf(fields, 'defaultLanguage');
  const defaultLanguage = isLocale(sent) ? sent : DEFAULT_LOCALE;
  const chosen = fields.getAll('languages');
  const languages = LOCALES.filter((locale) => locale === defaultLanguage || chosen.includes(locale));
  return { defaultLanguage, languages: languages.length === LOCALES.length ? null : languages };
}
