import { describe, expect, it } from 'vitest';
import { pickText } from './localised.ts';

describe('pickText', () => {
  it('picks the requested language, then its fallback chain, then any language', () => {
    expect(pickText({ en: 'E', fr: 'F', 'fr-CA': 'C' }, 'fr-CA')).toEqual({ text: 'C', locale: 'fr-CA' });
    expect(pickText({ en: 'E', fr: 'F' }, 'fr-CA')).toEqual({ text: 'F', locale: 'fr' });
    expect(pickText({ en: 'E', fr: '' }, 'fr')).toEqual({ text: 'E', locale: 'en' });
    expect(pickText({ vi: 'V', ja: 'J' }, 'fr')).toEqual({ text: 'J', locale: 'ja' });
    expect(pickText({}, 'fr')).toEqual({ text: '', locale: 'fr' });
  });
});
