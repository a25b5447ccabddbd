import { describe, expect, it, test } from 'vitest';
import { checkTranslations, shapeOf, sourceOf } from './translation.policy.ts';

const SOURCE = '# T\n\n## A\n\n[x](a) ![p](p.png)\n\n## B\n\nText.';
const found = (fr: string, en = SOURCE) =>
  checkTranslations({ en, fr }).map(({ locale, rule, line, text }) => `${locale} ${line} ${rule} ${text}`.trim());

describe('checkTranslations', () => {
  test.each([
    ['# T\n\n## A\n\n[y](b) ![p](q.png)\n\n## B\n\nTexte.', []],
    ['# T\n\n## A\n\n[y](b) ![p](q.png)\n\nTexte.', ['fr 3 translation-headings 3 → 2']],
    ['# T\n\n## A\n\n[y](b) ![p](q.png)\n\n### B\n\nTexte.', ['fr 7 translation-headings h2 → h3']],
    ['# T\n\n## A\n\nx ![p](q.png)\n\n## B\n\nTexte.', ['fr 1 translation-links 1 → 0']],
    ['# T\n\n## A\n\n[y](b)\n\n## B\n\nTexte.', ['fr 1 translation-images 1 → 0']],
    ['# T', ['fr 1 translation-empty']],
    ['<!-- later -->', ['fr 1 translation-empty']],
  ])('of %j', (text, expected) => expect(found(text)).toEqual(expected));

  it('compares the length of longer texts', () => {
    expect(found('mot '.repeat(40), 'word '.repeat(100))).toEqual(['fr 1 translation-length 100 → 40']);
    expect(found('mot '.repeat(60), 'word '.repeat(100))).toEqual([]);
    expect(found('mot '.repeat(10), 'word '.repeat(40))).toEqual([]);
    expect(checkTranslations({ en: 'word '.repeat(100), ja: '公務員の仕事'.repeat(40) })).toEqual([]);
  });

  it('compares with the chosen language, else English, else the first', () => {
    expect(sourceOf(['de', 'en', 'fr'], 'fr')).toBe('fr');
    expect(sourceOf(['de', 'en', 'fr'])).toBe('en');
    expect(sourceOf(['de', 'fr'], 'it')).toBe('de');
    expect(checkTranslations({ de: '# T\n\nx', en: '# A\n\n## B\n\nx' }, 'de').map(({ locale }) => locale)).toEqual([
      'en',
    ]);
    expect(checkTranslations({ en: '' })).toMatchObject([{ locale: 'en', rule: 'translation-empty' }]);
  });
});

test('code has no shape', () => {
  expect(shapeOf('```\n# x [a](b)\n```')).toEqual({ headings: [], links: 0, images: 0, words: 0, quizzes: [] });
});
