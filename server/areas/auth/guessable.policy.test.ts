import { describe, expect, it } from 'vitest';
import { commonPasswords } from './common-passwords.data.ts';
import { isGuessable } from './guessable.policy.ts';

const common = await commonPasswords();
const asked = (password: string) =>
  isGuessable(password, {
    common,
    email: 'maya.okafor@agency.gov',
    name: 'Maya Okafor',
    places: ['Officium', 'Learning Agency'],
  });

describe('what is guessed first', () => {
  it.each([
    'password',
    'PASSWORD1',
    'password123',
    'Passw0rd',
    'qwertyuiop',
    'iloveyou',
    '12345678',
    'ｐａｓｓｗｏｒｄ',
    'Officium2026!',
    '2026-officium',
    'LearningAgency1',
    'Maya.Okafor1',
    'okafor1987',
    'maya.okafor@agency.gov',
  ])('is %s', (password) => expect(asked(password)).toBe(true));

  it.each([
    'correct horse battery',
    'mayan calendars run out',
    'officium is where I learn',
    'tr0ub4dor&3 of hearts',
    '四つの言葉と川',
    '🦀🐙🦑🐚🐳🐬🦈🐟',
  ])('is not %s', (password) => expect(asked(password)).toBe(false));

  it('knows more than the three thousand that are used most', () => {
    expect([...common].filter((password) => password.length >= 8).length).toBeGreaterThan(3_000);
  });
});
