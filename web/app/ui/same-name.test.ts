import { expect, it } from 'vitest';
import { isSameName } from './same-name.ts';

it.each([
  ['Amina Söderström', 'Amina Söderström', true],
  ['amina so\u0308derstro\u0308m', 'Amina Söderström', true],
  ['  Amina   Söderström ', 'Amina Söderström', true],
  ['山田　花子', '山田 花子', true],
  ['Amina Soderstrom', 'Amina Söderström', false],
  ['', 'Amina', false],
])('compares “%s” with “%s”: %s', (typed, name, isSame) => {
  expect(isSameName(typed, name)).toBe(isSame);
});
