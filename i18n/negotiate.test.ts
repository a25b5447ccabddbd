import { describe, expect, test } from 'vitest';
import { matchLocale, negotiateLocale, toOffered } from './negotiate.ts';

describe('negotiateLocale', () => {
  test('prefers an explicit locale to all other sources', () => {
    expect(negotiateLocale({ explicit: 'ja', user: 'de', cookie: 'fr', acceptLanguage: 'it' })).toBe('ja');
  });
  test('prefers the user to the cookie and the cookie to the browser', () => {
    expect(negotiateLocale({ user: 'de', cookie: 'fr', acceptLanguage: 'it' })).toBe('de');
    expect(negotiateLocale({ cookie: 'fr', acceptLanguage: 'it' })).toBe('fr');
  });
  test('skips an unsupported locale', () => {
    expect(negotiateLocale({ explicit: 'zz', cookie: '__proto__', acceptLanguage: 'zh,ko-KR;q=0.8' })).toBe('ko');
  });
  test('reads Accept-Language by quality', () => {
    expect(negotiateLocale({ acceptLanguage: 'de;q=0.3, fr-CA;q=0.9, it;q=0' })).toBe('fr-CA');
  });
  test.each([
    ['sr-Latn,en', 'en'],
    ['sr-Latn-RS,de;q=0.5', 'de'],
    ['sr-Latn,sr;q=0.9,en;q=0.8', 'sr-Cyrl'],
    ['sr-Latn', 'sr-Cyrl'],
    ['sr-Cyrl-RS,en', 'sr-Cyrl'],
  ])('Accept-Language %s gives %s, because another script is the last choice', (acceptLanguage, locale) => {
    expect(negotiateLocale({ acceptLanguage })).toBe(locale);
  });
  test('falls back to English', () => {
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
])('matches %s to %s', (tag, locale) => {
  expect(matchLocale(tag)).toBe(locale);
});

describe('a site that offers some languages', () => {
  const offer = { languages: ['en', 'fr', 'pt-BR'], defaultLanguage: 'en' } as const;
  test('answers in the best that it offers', () => {
    expect(negotiateLocale({ acceptLanguage: 'ja,fr-CA;q=0.8' }, offer)).toBe('fr');
    expect(negotiateLocale({ user: 'ja', cookie: 'pt' }, offer)).toBe('pt-BR');
    expect(negotiateLocale({ acceptLanguage: 'ja' }, { ...offer, defaultLanguage: 'fr' })).toBe('fr');
    expect(negotiateLocale({ acceptLanguage: 'ja,*' }, { ...offer, defaultLanguage: 'fr' })).toBe('fr');
  });
  test('accepts an explicit locale all the same', () => {
    expect(negotiateLocale({ explicit: 'ja' }, offer)).toBe('ja');
  });
  test('addresses a person in a language of the same family, else in the default', () => {
    expect([toOffered('pt', offer), toOffered('pt-BR', offer), toOffered('de', offer)]).toEqual([
      'pt-BR',
      'pt-BR',
      'en',
    ]);
  });
});
