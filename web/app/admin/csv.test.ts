import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvReply, toCsv } from './csv.ts';

test('defuses a value that a spreadsheet would run as a formula', () => {
  const dangerous = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x","y")'];
  const [, ...lines] = toCsv([['a'], ...dangerous.map((value) => [value])]).split('\r\n');
  expect(lines.filter(Boolean).every((line) => line.startsWith("'") || line.startsWith('"\''))).toBe(true);
});

test.each([
  ' =1+1',
  '\u00a0=1+1',
  '\u3000+1',
  '\u200b@SUM(A1)',
  '\ufeff=1',
  '\0=1',
  '\0',
  '\ttext',
  '\rtext',
  '\u202e=1',
  '\uff1d1+1',
  '\uff0b1',
  '\uff0d1',
  '\uff20SUM(A1)',
  '\u22121',
  ' \uff1dcmd|\u2019 /C calc\u2019!A0',
])('defuses %j, however its first character is hidden or written', (value) => {
  const [, , field] = /^\uFEFFa\r\n("?)([^]*?)\1\r\n$/.exec(toCsv([['a'], [value]])) ?? [];
  expect(field).toBe(`'${value}`);
});

test.each([
  ['x;=1+1', "x;'=1+1"],
  ['x; \u200b@SUM(A1)', "x;' \u200b@SUM(A1)"],
  ['x;-1;+1', "x;'-1;'+1"],
  ['x\t=1', "x\t'=1"],
  ['x\n=1', '"x\n\'=1"'],
  ['x\r\n=1', '"x\r\n\'=1"'],
  ['x;\n=1', '"x;\n\'=1"'],
  ['\n=1', '"\'\n\'=1"'],
  ['x\u2028=1', "x\u2028'=1"],
  ['x;"=1', '"x;\'""=1"'],
  ['x\uff1b\uff1d1', "x\uff1b'\uff1d1"],
])('defuses what a spreadsheet would split into a cell of its own: %j', (value, field) => {
  expect(toCsv([['a', value]])).toBe(`\uFEFFa,${field}\r\n`);
});

test('leaves no cell a formula, whatever separators and quoting the spreadsheet uses', () => {
  const sign = /^[\s\p{Cc}\p{Cf}"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u;
  const pieces = fc.constantFrom(...';\t\r\n\u2028"\u200b =+-@a,\'\uff1d\uff1b');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const cells = toCsv([['a', parts.join('')]]).split(/[;\uff1b\t\r\n\u2028]/);
      expect(cells.filter((cell) => sign.test(cell))).toEqual([]);
    }),
  );
});

test.each(['a=1', 'Ana-Lucía', '1-2', "o'Neill", '', 'é', '（a）', 'a;b = c', 'a; b - c'])(
  '%j stays as it is',
  (value) => {
    expect(toCsv([[value]])).toBe(`\uFEFF${value}\r\n`);
  },
);

test('keeps numbers, doubles quotes and writes nothing as an empty cell', () => {
  expect(toCsv([[-3, 'say "so"', null, undefined, 'a,b', 'two\nlines']])).toBe(
    '\uFEFF-3,"say ""so""",,,"a,b","two\nlines"\r\n',
  );
});

test('sends a file name that works everywhere', () => {
  const disposition = csvReply('cohort "Ä"/x', ['a'], []).headers.get('content-disposition');
  expect(disposition).toBe('attachment; filename="cohort-----x.csv"');
});
