import { describe, expect, it, test } from 'vitest';
import { closesDirective, readDirective } from './directive.ts';

describe('readDirective', () => {
  test.each([
    ['::video', { colons: 2, name: 'video', label: '', attributes: {} }],
    [':::callout[A *b* [c] \\] d]', { colons: 3, name: 'callout', label: 'A *b* [c] ] d', attributes: {} }],
    [
      `::::quiz{#first type=number answer="1 \\"a\\" &amp; 2" other='it"s' open}`,
      {
        colons: 4,
        name: 'quiz',
        label: '',
        attributes: { id: 'first', type: 'number', answer: '1 "a" & 2', other: `it"s`, open: '' },
      },
    ],
    ['::file[Guide]{ src=a/b.pdf }', { colons: 2, name: 'file', label: 'Guide', attributes: { src: 'a/b.pdf' } }],
    [
      '::embed[A]{src=https://a.example/?v=1&t=2}',
      { colons: 2, name: 'embed', label: 'A', attributes: { src: 'https://a.example/?v=1&t=2' } },
    ],
    ['::x{}', { colons: 2, name: 'x', label: '', attributes: {} }],
    ['::x{#سؤال}', { colons: 2, name: 'x', label: '', attributes: { id: 'سؤال' } }],
  ])('reads %j', (line, expected) => expect(readDirective(line)).toEqual(expected));

  test.each([
    ':x',
    '::',
    ':: x',
    ':::',
    '::X',
    '::x y',
    '::x[a',
    '::x[a] b',
    '::x{a',
    '::x{a=}',
    '::x{a="b}',
    '::x{a="b"c}',
    '::x{__proto__=1}',
    '::x_y',
    `::${'x'.repeat(40)}`,
    `${':'.repeat(21)}x`,
    `::x{${'a '.repeat(25)}}`,
    `::x[${'a'.repeat(5_000)}]`,
    'see ::x',
  ])('leaves %j', (line) => expect(readDirective(line)).toBeUndefined());

  it('takes linear time', () => {
    const started = performance.now();
    for (const piece of ['[', ']', '\\', '"', 'a="', 'a=b ', '{', '\\"', ' '])
      for (const start of ['::x', '::x[', '::x{', '::x{a="', "::x{a='"])
        for (let times = 0; times < 50; times++) readDirective(start + piece.repeat(3_900 / piece.length));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

it('closes a block with at least as many colons', () => {
  const directive = readDirective('::::x')!; // a block
  expect([':::', '::::', ':::::', ':::: x', ''].map((line) => closesDirective(line, directive))).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});
