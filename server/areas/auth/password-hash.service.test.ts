import { expect, it } from 'vitest';
import { hashPassword, isPassword } from './password-hash.service.ts';

it('hashes with argon2id at the documented cost', async () => {
  expect(await hashPassword('correct horse')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

it('accepts a password in any Unicode composition', async () => {
  const stored = await hashPassword('caf\u00e9 au lait');
  expect(await isPassword('cafe\u0301 au lait', stored)).toBe(true);
  expect(await isPassword('cafe au lait', stored)).toBe(false);
});

it('compares all of a long password', async () => {
  const long = 'x'.repeat(99);
  const stored = await hashPassword(`${long}a`);
  expect(await isPassword(`${long}b`, stored)).toBe(false);
  expect(await isPassword(`${long}a`, stored)).toBe(true);
});

it('returns false without a stored hash', async () => {
  expect(await isPassword('nobody has this password', null)).toBe(false);
});

it('handles many parallel comparisons', async () => {
  const stored = await hashPassword('correct horse');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => isPassword(i % 2 ? 'wrong' : 'correct horse', stored)),
  );
  expect(answers.filter(Boolean)).toHaveLength(10);
});
