import { localizedString, text } from '@officium/contract/common';
import { expect, it } from 'vitest';

const decomposed = '보안 정보 łódź é'.normalize('NFD');

it('counts composed characters, whichever way they were typed', () => {
  const length = [...decomposed.normalize('NFC')].length;
  expect([...decomposed].length).toBeGreaterThan(length);
  expect(text({ max: length }).parse(decomposed)).toBe(decomposed.normalize('NFC'));
  expect(text({ max: length - 1 }).safeParse(decomposed).success).toBe(false);
  expect(text({ min: length + 1, max: 100 }).safeParse(decomposed).success).toBe(false);
  expect(localizedString({ max: length }).safeParse({ ko: decomposed }).success).toBe(true);
  expect(localizedString({ max: length - 1 }).safeParse({ ko: decomposed }).success).toBe(false);
});
