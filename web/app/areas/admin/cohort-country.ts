import type { Locale } from '@officium/i18n/locales';
import { countriesIn, countryName } from '../../country-names.ts';

/** The stored country as the list has it; any other value stays as it is. */
export function storedCountry(code: string | null | undefined): string {
  const stored = code ?? '';
  return countryName(stored, 'en') === undefined ? stored : stored.toUpperCase();
}

/** The countries to choose from, and a stored value that is none of them, which stays until another one is chosen. */
export function countryChoices(locale: Locale, code?: string | null): { value: string; label: string }[] {
  const stored = storedCountry(code);
  const isKnown = stored === '' || countryName(stored, 'en') !== undefined;
  return [...(isKnown ? [] : [{ value: stored, label: stored }]), ...countriesIn(locale)];
}
