import { LOCALES } from '@officium/i18n/locales';
import { expect, test } from 'vitest';
import { countriesIn, countryName, locationOf } from './country-names.ts';

test('every country has a name in every language', () => {
  for (const locale of LOCALES)
    for (const { value, label } of countriesIn(locale)) expect(label, `${locale} ${value}`).not.toBe(value);
});

test('names follow the language and its order', () => {
  expect([countryName('NG', 'en'), countryName('ng', 'ar'), countryName('DE', 'fr')]).toEqual([
    'Nigeria',
    'نيجيريا',
    'Allemagne',
  ]);
  expect(countriesIn('en')[0]?.label).toBe('Afghanistan');
});

test('a location has a known code, or there is none', () => {
  expect(locationOf('NG')).toEqual({ id: 'ng', en: 'Nigeria', code: 'NG' });
  expect([locationOf(''), locationOf('XX'), locationOf('<b>')]).toEqual([null, null, null]);
});
