import { describe, expect, test } from 'vitest';
import { matchLocale, negotiateLocale } from './negotiate.ts';

describe('negotiateLocale', () => {
  test('an explicit locale goes before all others', () => {
    expect(negotiateLocale({ explicit: 'ja', user: 'de', cookie: 'fr', acceptLanguage: 'it' })).toBe('ja');
  });
  test('the user goes before the cookie and the cookie before the browser', () => {
    expect(negotiateLocale({ user: 'de', cookie: 'fr', acceptLanguage: 'it' })).toBe('de');
    expect(negotiateLocale({ cookie: 'fr', acceptLanguage: 'it' })).toBe('fr');
  });
  test('a locale we do not have is passed over', () => {
    expect(negotiateLocale({ explicit: 'zz', cookie: '__proto__', acceptLanguage: 'zh,ko-KR;q=0.8' })).toBe('ko');
  });
  test('Accept-Language is taken by quality', () => {
    expect(negotiateLocale({ acceptLanguage: 'de;q=0.3, fr-CA;q=0.9, it;q=0' })).toBe('fr-CA');
  });
  test.each([
    ['sr-Latn,en', 'en'],
    ['sr-Latn-RS,de;q=0.5', 'de'],
    ['sr-Latn,sr;q=0.9,en;q=0.8', 'sr-Cyrl'],
    ['sr-Latn', 'sr-Cyrl'],
    ['sr-Cyrl-RS,en', 'sr-Cyrl'],
  ])('Accept-Language %s is served as %s, as another script is the last choice', (acceptLanguage, locale) => {
    expect(negotiateLocale({ acceptLanguage })).toBe(locale);
  });
  test('nothing at all is English', () => {
    expect(negotiateLocale({})).toBe('en');
    expect(negotiateLocale({ acceptLanguage: ';;,,=;q=x' })).toBe('en');
  });
});

test.each([
  ['es-MX', 'es-419'],
  ['es-ES', 'es'],
  ['pt-PT', 'pt'],
  ['PT-br', 'pt-BR'],
  ['sr-Latn-RS', 'sr-Cyrl'],
  ['ar-EG', 'ar'],
  ['nl', undefined],
])('%s is served as %s', (tag, locale) => {
  expect(matchLocale(tag)).toBe(locale);
});
