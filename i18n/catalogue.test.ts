import { describe, expect, test } from 'vitest';
import { createTranslator, mergeMessages, readMessages } from './catalogue.ts';
import { LOCALES } from './locales.ts';

const english = readMessages('en');
const argumentsOf = (text: string) => new Set([...text.matchAll(/\{\s*(\w+)\s*[,}]/g)].map(([, name]) => name));

describe.each(LOCALES.filter((locale) => locale !== 'en'))('%s', (locale) => {
  const messages = readMessages(locale);
  test('has no key that English lacks', () => {
    expect(Object.keys(messages).filter((key) => !(key in english))).toEqual([]);
  });
  test('uses no argument that English does not give', () => {
    const wrong = Object.entries(messages).filter(
      ([key, text]) => !argumentsOf(text).isSubsetOf(argumentsOf(english[key] ?? '')),
    );
    expect(wrong).toEqual([]);
  });
});

test('falls back along the locale chain for a missing text', () => {
  expect(mergeMessages('fr-CA')['common.save']).toBe('Enregistrer');
});

test('formats plurals by the rules of its language', () => {
  expect(createTranslator('ar').t('common.minutes', { count: 2 })).toBe('دقيقتان');
  expect(createTranslator('en').t('common.minutes', { count: 1 })).toBe('1 minute');
  expect(() => createTranslator('en').t('common.nothing')).toThrow('common.nothing');
});

test.each(LOCALES)('the texts of %s that mention deleted accounts use the name the pages show', (locale) => {
  const messages = mergeMessages(locale);
  for (const key of ['about.privacy_leave_text', 'account.delete_stays', 'admin.people_erase_stays'])
    expect(messages[key]).toContain(messages['common.deleted_user']);
});
