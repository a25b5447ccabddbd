import fc from 'fast-check';

/** Texts that have broken programs before, all legal in a JSON string. */
export const AWKWARD_TEXTS = [
  '',
  ' ',
  '\t\r\n',
  '\0',
  'a\0b',
  '\u2028\u2029',
  '\uFEFF',
  '\u200B\u200D\u2060',
  '\u202Egnp.exe',
  'مرحبا بالعالم',
  'שלום {{%}} עולם',
  'e\u0301',
  '\u00e9',
  '\uD83D',
  '\uDC00x',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  `Z${'\u0301'.repeat(60)}`,
  '\u212A', // the Kelvin sign, whose lower case is an ASCII letter
  'ı İ ß ﬃ ǅ',
  '％％＿',
  "'; drop table users; --",
  '%',
  '_%\\',
  '\\',
  '$1 $& $$',
  '${7*7} {{7*7}} <%= 7*7 %>',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-0',
  '1e400',
  '0x10',
  '99999999999999999999999999',
  'true',
  '[]',
  '{}',
  'me',
  '*',
  '.',
  '..',
  '../../etc/passwd',
  'a/b',
  'a?b#c',
  'a&b=c',
  'http://',
  'https://example.org/\\evil',
  '//evil.example',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'http://[::1]:99999/',
  'http://user:pw@127.0.0.1/',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<!-- <b>',
  '<![CDATA[',
  '[a](<javascript:x>)',
  '![',
  '```\n<b>',
  '| a |\n| - |\n| b |',
  '{{00000000-0000-0000-0000-000000000000}}',
  '{{{{}}}}',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  'person@EXAMPLE.gov',
  '"a b"@example.gov',
  'a@b',
  'a@xn--ls8h.example',
  '=1+1',
  '\r\nSet-Cookie: a=b',
] as const;

/** Pieces that are slow to process when repeated. */
const PIECES = [
  'a',
  ' ',
  '\n',
  '😀',
  'e\u0301',
  '<',
  '<b>',
  '[',
  '![](',
  '*',
  '**a',
  '`',
  '> ',
  '- ',
  '|',
  '{{',
  '&',
  '\\',
  '\u0301',
  '~',
  '_',
  '"',
  '(',
  '&#',
  '<!--',
  '1. ',
  '    ',
];

const longText = fc
  .tuple(fc.constantFrom(...PIECES), fc.constantFrom(257, 2_049, 10_001, 40_000))
  .map(([piece, count]) => piece.repeat(count));

/** Arbitrary text that favours problematic cases. */
export const awkwardText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...AWKWARD_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: longText },
);

/** Text with a length between two limits in code points; the limits are likely. */
export function textOfLength(min: number, max: number): fc.Arbitrary<string> {
  const length = fc.oneof(
    fc.constantFrom(min, Math.min(max, min + 1), max),
    fc.integer({ min, max: Math.min(max, min + 40) }),
  );
  const piece = fc.constantFrom(
    'a',
    'Z',
    'é',
    'e\u0301',
    'ß',
    '中',
    'ع',
    '😀',
    '<',
    '&',
    '*',
    '"',
    "'",
    '{',
    '\u200D',
    ' ',
    '-',
    '_',
    '%',
  );
  return fc.tuple(length, fc.array(piece, { minLength: 1, maxLength: 5 })).map(([count, pieces]) => {
    const points = [...pieces.join('')];
    return Array.from({ length: count }, (_, at) => points[at % points.length]).join('');
  });
}

/** JSON that JSON.stringify does not write: numbers beyond doubles, deep nesting. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const RAW = [
  '1e400',
  '-1e400',
  '-0',
  '1e-400',
  '123456789012345678901234567890',
  '0.1e1',
  '1E+2',
  '[{}]',
  '{"a":1,"a":2}',
];
const nested = (open: string, close: string, depth: number) =>
  new RawJson(`${open.repeat(depth)}1${close.repeat(depth)}`);

/** Values of every JSON type, regardless of the schema. */
export const awkwardValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: awkwardText },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      1,
      -1,
      0.5,
      2 ** 31,
      2 ** 53,
      -(2 ** 63),
      1e21,
      1e308,
      [],
      {},
      [null],
      [[]],
      { '': '' },
      { toString: 1 },
      { length: 5 },
      { constructor: { prototype: { admin: true } } },
      '0001-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
      '+275760-09-13T00:00:00.000Z',
      '275761-01-01',
      '2026-02-30',
      '2026-01-01T25:00:00Z',
      '2026-01-01T00:00:00+99:99',
      '0000-01-01',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...RAW).map((text) => new RawJson(text)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      nested('[', ']', 50),
      nested('{"a":', '}', 101),
      nested('[', ']', 5_000),
      nested('{"a":[', ']}', 20_000),
      new RawJson('{"__proto__":{"admin":true}}'),
      new RawJson('{"\\u0000":1}'),
      new RawJson('"\\ud800"'),
    ),
  },
  { weight: 1, arbitrary: fc.array(awkwardText, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.dictionary(awkwardText, awkwardText, { maxKeys: 3 }) },
);

/** JSON.stringify with support for RawJson. */
export function toJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([key, inner]) => `${JSON.stringify(key)}:${toJson(inner)}`)
      .join(',')}}`;
  return JSON.stringify(value) ?? 'null';
}
