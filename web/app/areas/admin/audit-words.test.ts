import { readMessages } from '@officium/i18n/catalogue';
import { expect, test } from 'vitest';
import { NAMES, VALUES } from './audit-vocabulary.ts';
import { detailOf, sentenceOf, wordOfObject } from './audit-words.ts';

const messages = readMessages('en');
const maybe = (key: string) => messages[key];
const text = {
  t: (key: string, { name }: { name?: unknown } = {}) => (messages[key] ?? key).replace('{name}', String(name)),
  date: (value: Date | string | number) => new Date(value).toISOString(),
  number: (value: number, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat('en', options).format(value),
  list: (items: readonly string[]) => new Intl.ListFormat('en').format(items),
};
const read = (detail: Record<string, unknown>, action = 'admin.set-permissions') =>
  detailOf(text, { action, detail }).map(({ name, value }) => `${name}: ${value}`);

test('gives an action a sentence and a singleton object a word', () => {
  expect(sentenceOf({ maybe }, 'admin.undo-upload')).toBe('Undid an upload');
  expect(sentenceOf({ maybe }, 'test.say')).toBeUndefined();
  expect([wordOfObject(text, 'audit-log'), wordOfObject(text, 'constructor')]).toEqual(['Audit log', undefined]);
});

test('has a message for every name and value of the vocabulary', () => {
  expect([...Object.values(NAMES), ...Object.values(VALUES)].filter((key) => messages[key] === undefined)).toEqual([]);
});

test('shows the values before and after a change', () => {
  expect(
    read({ can_join: 'verified', can_view: 'public', before: { can_join: 'private', can_view: 'private' } }),
  ).toEqual([
    'Who can join, before: Only people with access through a cohort or invitation',
    'Who can view, before: Only people with access through a cohort or invitation',
    'Who can join: Verified public servants',
    'Who can view: Anyone, even without an account',
  ]);
  expect(read({ scope: 'verified', before: 'private', permission: 'can_join' })).toEqual([
    'Permission: Who can join',
    'Before: Only people with access through a cohort or invitation',
    'After: Verified public servants',
  ]);
  expect(read({ to: 'public-servant', from: 'inactive' })).toEqual(['Before: Inactive', 'After: Public servant']);
});

test('formats numbers, days, languages and lists in the language of the page', () => {
  expect(read({ addresses: 1200, column: 0, isRestored: false, level: null })).toEqual([
    'Addresses: 1,200',
    'Column with addresses: 1',
    'Restored: no',
    'Rights: –',
  ]);
  expect(read({ dueOn: '2026-12-01', exp: 1_800_000_000, slowModeSeconds: 30 })).toEqual([
    'Due on: 2026-12-01T00:00:00.000Z',
    'Valid until: 2027-01-15T08:00:00.000Z',
    'Slow mode: 30 seconds',
  ]);
  expect(read({ heldBack: ['fr', 'sr-Cyrl'], fields: ['notes', 'funder'] })).toEqual([
    'Languages held back: Français and Српски',
    'What was changed: Notes and Funder',
  ]);
  expect(read({ heldBack: [] })).toEqual(['Languages held back: –']);
});

test('leaves names given by people alone, even when they look like codes', () => {
  expect(read({ slug: 'spam' }, 'content.create-piece')).toEqual(['Address: spam']);
  expect(read({ slug: 'public' }, 'admin.upload-emails')).toEqual(['Label: public']);
});

test('shows ids and unknown values as codes', () => {
  const parts = detailOf(text, {
    action: 'x.y',
    detail: { ids: ['a', 'b'], permissions: { communities: { words: 1 } }, unheard: 'of', constructor: 'x' },
  });
  expect(parts).toEqual([
    { name: 'Records', value: 'a, b', isNameCode: false, isValueCode: true },
    {
      name: 'What the token allows',
      value: '{"communities":{"words":1}}',
      isNameCode: false,
      isValueCode: true,
    },
    { name: 'unheard', value: 'of', isNameCode: true, isValueCode: true },
    { name: 'constructor', value: 'x', isNameCode: true, isValueCode: true },
  ]);
});
