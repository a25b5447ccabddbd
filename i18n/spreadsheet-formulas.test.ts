import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardFormulas, unguardFormulas } from './spreadsheet-formulas.ts';

test.each([
  ['=1+1', "'=1+1"],
  ["'=1+1", "''=1+1"],
  ['\u200b@SUM(A1)', "'\u200b@SUM(A1)"],
  ['x; =1', "x;' =1"],
  ["x;'=1", "x;''=1"],
  ['x\n- y', "x\n'- y"],
  ["o'Neill; 'a'", "o'Neill; 'a'"],
])('guards %j and reverts it', (text, guarded) => {
  expect(guardFormulas(text)).toBe(guarded);
  expect(unguardFormulas(guarded)).toBe(text);
});

test('reverts to the same text, whatever apostrophes and signs it has', () => {
  const pieces = fc.constantFrom(...`;\t\r\n\u2028"\u200b =+-@a,'\0\uff1d\uff1b`);
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
      const text = parts.join('');
      expect(unguardFormulas(guardFormulas(text))).toBe(text);
    }),
    { numRuns: 5_000 },
  );
});
