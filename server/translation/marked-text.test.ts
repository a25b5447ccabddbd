import { expect, it } from 'vitest';
import { withSpaceOf } from './marked-text.ts';

it('keeps the white space around a text, but not that of its translation', () => {
  expect(withSpaceOf(' one \n', ' eins')).toBe(' eins \n');
  expect(withSpaceOf('\u00a0one', 'eins ')).toBe('\u00a0eins');
  expect(withSpaceOf(' \t', '')).toBe(' \t');
});

it.each([' ', '\t', '\u00a0', '\u3000'])('needs little time for a text with %j again and again inside', (space) => {
  const before = process.cpuUsage().user;
  expect(withSpaceOf(`one${space.repeat(60_000)}two`, 'eins zwei')).toBe('eins zwei');
  expect((process.cpuUsage().user - before) / 1000).toBeLessThan(500);
});
