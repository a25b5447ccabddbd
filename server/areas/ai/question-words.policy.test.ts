import { LOCALES } from '@officium/contract/common';
import { expect, it } from 'vitest';
import { readQuestion, wordsOf } from './question-words.policy.ts';
import { synonymGroups } from './synonyms.data.ts';

it('splits a question into distinct words, up to a maximum', () => {
  expect(wordsOf('How, how should I write a Deadline?', 'en')).toEqual([
    'how',
    'should',
    'i',
    'write',
    'a',
    'deadline',
  ]);
  expect(wordsOf('期限は日付で', 'ja')).toContain('期限');
  expect(wordsOf('?!', 'en')).toEqual([]);
  expect(wordsOf(Array.from({ length: 500 }, (_, n) => `word${n}`).join(' '), 'en')).toHaveLength(40);
});

it('removes words that only phrase the question', () => {
  expect(readQuestion(['explain', 'deadlines', 'please'], 'en')).toEqual({
    subject: ['deadlines'],
    isAboutWhole: false,
  });
  expect(readQuestion(['wie', 'schreibe', 'frist'], 'de').subject).toEqual(['schreibe', 'frist']);
});

it('recognises a question about the whole lesson', () => {
  const isAboutWhole = (...words: string[]) => readQuestion(words, 'en').isAboutWhole;
  expect([isAboutWhole('lesson'), isAboutWhole('summarise', 'main', 'points')]).toEqual([true, true]);
  expect([isAboutWhole('main', 'capital'), isAboutWhole('explain'), isAboutWhole()]).toEqual([false, false, false]);
  expect(readQuestion(['zusammenfassung', 'lektion'], 'de').isAboutWhole).toBe(true);
});

it('every synonym group has at least two different words', () => {
  for (const locale of LOCALES)
    for (const group of synonymGroups(locale)) expect([locale, new Set(group).size]).toEqual([locale, group.length]);
  expect(synonymGroups('pt-BR').length).toBeGreaterThan(10);
  expect(synonymGroups('ko')).toEqual([]);
});
