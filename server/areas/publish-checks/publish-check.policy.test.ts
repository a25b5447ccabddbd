import type { Locale } from '@officium/contract/common';
import { LOCALES } from '@officium/contract/common';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checkText } from './publish-check.policy.ts';
import { EMPTY_LINK_WORDS } from './words.data.ts';

const found = (text: string, locale: Locale = 'en') =>
  checkText(text, locale).map(({ rule, line, severity }) => `${line} ${rule} ${severity}`);

const WORDS = 'Every office keeps a list of what it knows and says who may read it, and when. ';
const GOOD = `# A title

${WORDS}See [the guide to public records](https://example.gov/records).

![A clerk hands a folder over the counter](images/clerk.png)

## A part

- one
- two

| Office | Hours |
| ------ | ----- |
| Parks  | 9–12  |

### A part of it

1. first
2. second – with a dash

\`\`\`
## CODE IS NOT LOOKED AT https://example.org
\`\`\`

Watch [the talk, with captions](https://www.youtube.com/watch?v=x). UNESCO and WHO AND UN agree.
`;

test('an accessible text has no findings', () => expect(checkText(GOOD, 'en')).toEqual([]));

describe('pictures', () => {
  test.each([
    ['![](a.png)', ['1 image-alt must']],
    ['![IMG_2034](a.png)', ['1 image-alt must']],
    ['![photo.JPG](a.png)', ['1 image-alt must']],
    ['![town-hall-2](images/town-hall-2.png)', ['1 image-alt must']],
    ['text\n\n![a clerk](a.png) ![](b.png)', ['3 image-alt must']],
    ['<img src="a.png">', ['1 image-alt must']],
    ['<img src="a.png" alt="">', []],
    ['<p>x\n<img src=a.png alt=" "></p>', ['2 image-alt must']],
    ['![The town hall in winter](a.png)\n\nThe town hall in winter. It is cold.', ['1 image-repeated should']],
    ['![The town hall in winter](a.png)\n\nThe mayor lives there.', []],
  ])('returns the findings of %j', (text, expected) => expect(found(text)).toEqual(expected));
});

describe('headings', () => {
  test.each([
    ['### Too deep\n\nx', ['1 heading-order must']],
    ['# A\n\nx\n\n### B\n\nx', ['5 heading-order must']],
    ['## A\n\nx\n\n### B\n\nx\n\n## C\n\nx', []],
    ['#\n\nx', ['1 heading-empty must']],
    ['<h2> </h2>\nx', ['1 heading-empty must']],
    ['## ![A plan](a.png)\n\nx', []],
    ['## Nobody signs what nobody has read.\n\nx', ['1 heading-emphasis should']],
    ['## At the U.S.\n\nx', []],
    ['## A\n\n## B\n\nx', ['1 heading-emphasis should']],
    ['## A\n\n### B\n\nx', []],
    ['x\n\n## The end', ['3 heading-emphasis should']],
    ['**A heading of a kind**\n\nx', ['1 bold-heading should']],
    ['**Take care:** it is hot.\n\n**It is.**', []],
  ])('returns the findings of %j', (text, expected) => expect(found(text)).toEqual(expected));
});

describe('links', () => {
  test.each([
    ['[click here](a)', ['1 link-words must']],
    ['x\n[**Read more** →](a)', ['2 link-words must']],
    ['[](a)', ['1 link-words must']],
    ['<a href="x">here</a>', ['1 link-words must']],
    ['[![The plan of the park](p.png)](a)', []],
    ['[The rules](a) and [the rules](b)', ['1 link-repeated should']],
    ['[The rules](a) and [the rules](a)', []],
    ['See https://example.org/x', ['1 bare-address should']],
    ['[https://example.org](https://example.org)', ['1 bare-address should']],
    ['Write to <help@example.gov>', []],
    ['[A talk](https://youtu.be/x)', ['1 captions should']],
    ['[A talk](https://youtu.be/x) (Transcript below)', []],
    ['<audio src="a.mp3"></audio>', ['1 captions should', '1 media-link should']],
  ])('returns the findings of %j', (text, expected) => expect(found(text)).toEqual(expected));

  it('recognises empty link texts in every language', () => {
    for (const locale of LOCALES) {
      const words = [...(EMPTY_LINK_WORDS.get(locale) ?? [])];
      expect(words.length).toBeGreaterThan(10);
      for (const word of words)
        expect([locale, word, found(`[${word}…](a)`, locale)]).toEqual([locale, word, ['1 link-words must']]);
    }
  });

  it('recognises words for captions in every language', () => {
    for (const [locale, words] of [
      ['fr', 'sous-titrée'],
      ['ja', '字幕付き'],
      ['ar', 'مع لغة الإشارة'],
    ] as const)
      expect(found(`[x ${words}](https://vimeo.com/1)`, locale)).toEqual([]);
  });
});

describe('tables', () => {
  test.each([
    ['|   |   |\n|---|---|\n| a | b |', ['1 table-header must']],
    ['|   | A |\n|---|---|\n| a | b |', []],
    ['| A |   |\n|---|---|\n| a | b |', ['1 table-header should']],
    ['| A |\n|---|\n| a |', ['1 table-layout should']],
    ['| A | B |\n|---|---|', ['1 table-layout should']],
    ['x\n\n<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr></table>', ['3 table-header must']],
    ['<table><tr><th>a</th><td>b</td></tr><tr><th>c</th><td>d</td></tr></table>', []],
  ])('returns the findings of %j', (text, expected) => expect(found(text)).toEqual(expected));
});

describe('lists, capitals and languages', () => {
  test.each([
    ['We need:\n• paper\n• ink', ['2 list-marks must']],
    ['• paper\n\n• ink', ['1 list-marks must']],
    ['x\n– paper\n– ink\n– sand', ['2 list-marks must']],
    ['a) paper\nb) ink', ['1 list-marks must']],
    ['١. ورق\n٢. حبر', ['1 list-marks must'], 'ar'],
    ['– Yes, said the clerk.\n\n– No, said the other.', []],
    ['PLEASE READ THIS NOW AND ANSWER', ['1 all-caps should']],
    ['NASA, ESA, and JAXA', []],
    [WORDS.repeat(2), ['1 language must'], 'ar'],
    [`${'الإدارة تحفظ قائمة بما تعرفه. '.repeat(8)}\n\n${WORDS.repeat(2)}`, ['3 language should'], 'ar'],
    [`${'الإدارة تحفظ قائمة بما تعرفه. '.repeat(8)}\n\n<p lang="en">${WORDS.repeat(2)}</p>`, [], 'ar'],
    [WORDS.repeat(2), [], 'fr'],
    ['Свака служба води списак онога што зна и каже ко сме да га чита.', [], 'sr-Cyrl'],
    ['Svaka služba vodi spisak onoga što zna i kaže ko sme da ga čita.', ['1 language must'], 'sr-Cyrl'],
    ['どの役所も、知っていることの一覧を持ち、だれが読めるかを示しています。どの役所も同じです。', [], 'ja'],
    [
      '每個機關都保存一份清單說明其所知並說明誰可以閱讀以及何時可以閱讀這些內容每個機關都保存一份清單',
      ['1 language must'],
      'ja',
    ],
    ['모든 기관은 알고 있는 것의 목록을 가지고 있으며 누가 읽을 수 있는지 밝힙니다. 모든 기관이 그렇습니다.', [], 'ko'],
  ] as [string, string[], Locale?][])('returns the findings of %j', (text, expected, locale) =>
    expect(found(text, locale)).toEqual(expected),
  );
});

const PIECES = [
  '# ',
  '\n',
  '\n\n',
  '![',
  '](',
  ')',
  '[',
  '<img',
  '<table>',
  '<td>',
  '</tr>',
  '|',
  '|--|',
  '• ',
  '`',
  '**',
  '<a href=x>',
  '</a>',
  '<h2>',
  '<!--',
  'HERE',
  'https://',
  '\u202e',
  '&#0;',
  '    ',
  '> ',
  '- ',
  '</p>',
];

describe('arbitrary input', () => {
  const piece = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...PIECES));
  it('never fails, and each finding names an existing line', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.constantFrom(...LOCALES), (pieces, locale) => {
        const text = pieces.join('');
        const lines = text.split(/\r\n?|\n/).length;
        for (const { line } of checkText(text, locale)) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines);
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each(
    [
      '![](',
      '[](',
      '[[',
      '# ',
      '**a ',
      '<a href=x>',
      '<table><tr><td>',
      '| a ',
      '• x\n',
      '> ',
      '- ',
      'A ',
      '<',
      '`',
      '&',
      'https://a ',
    ].concat(['*a_', '<h1>', '![a', '](b)', '\\', '\n', 'ُ', '.', '(', '<!--', 'www.', '<p>', 'x\n', '|-', 'HELLO ']),
  )('checks 200 kB of %j within seconds', (unit) => {
    const text = unit.repeat(Math.ceil(200_000 / Buffer.byteLength(unit)));
    const began = process.cpuUsage();
    const findings = checkText(text, 'en');
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(5);
    expect(findings.length).toBeLessThanOrEqual(200);
  });
});
