import { describe, expect, it } from 'vitest';
import { commonPasswords } from './common-passwords.data.ts';
import { isGuessable } from './guessable.policy.ts';

const common = await commonPasswords();
const isRefused = (password: string) =>
  isGuessable(password, {
    common,
    email: 'maya.okafor@agency.gov',
    name: 'Maya Okafor',
    siteNames: ['Officium', 'Learning Agency'],
  });

describe('isGuessable', () => {
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
  ])('refuses %s', (password) => expect(isRefused(password)).toBe(true));

  it.each([
    'correct horse battery',
    'mayan calendars run out',
    'officium is where I learn',
    'tr0ub4dor&3 of hearts',
    '四つの言葉と川',
    '🦀🐙🦑🐚🐳🐬🦈🐟',
  ])('accepts %s', (password) => expect(isRefused(password)).toBe(false));

  it('includes more than 3000 common passwords of at least eight characters', () => {
    expect([...common].filter((password) => password.length >= 8).length).toBeGreaterThan(3_000);
  });
});
