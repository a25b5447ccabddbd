import { readFileSync } from 'node:fs';
import { getSchema } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extensions } from './extensions.ts';
import { openMarkdown, writeMarkdown } from './markdown.ts';

const schema = getSchema(extensions);
const ADA = '0190a8b2-1111-7222-8333-444455556666';
const open = (source: string) => openMarkdown(schema, source, { [ADA]: 'Ada' });
const mustOpen = (source: string) => {
  const opened = open(source);
  if (!opened) throw new Error(`cannot be opened: ${source}`);
  return opened;
};
const document = (...blocks: object[]) => schema.nodeFromJSON({ type: 'doc', content: blocks });
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const text = (text: string, ...marks: object[]) => ({ type: 'text', text, marks });

/** The text blocks of the demo's conversations, which read like real posts. */
const demo = [
  ...readFileSync(new URL('../../../demo/conversations.yaml', import.meta.url), 'utf8').matchAll(
    /^( *)body: \|\n((?:\1 {2}.*\n|\n)+)/gm,
  ),
].map(([, indent = '', block = '']) =>
  block
    .split('\n')
    .map((line) => line.slice(indent.length + 2))
    .join('\n')
    .trim()
    .replace(/\{\{person:\w+\}\}/g, `{{${ADA}}}`),
);

const hasTable = (source: string) => source.includes('|---|');
const plain = demo.filter((source) => !hasTable(source));

const BY_HAND = [
  'One\nline after another',
  '*a* **b** ***c*** `d` ~~e~~ [f](https://g.example/h_(i)) [j](https://k.example "l \\"m\\"")',
  '- a\n- b\n  - c\n    1. d\n\n- e',
  '* star\n* list',
  '3. three\n4. four',
  '1. a\n\n   more\n2. b',
  '> q\n>\n> - r\n\nafter',
  '## Heading\n\n---\n\n```sql\nselect 1 < 2\n```\n\n    indented',
  'a\\\nb  \nc',
  `Hello {{${ADA}}}, and {{${ADA.toUpperCase()}}}!`,
  'See https://a.example/b_c_d?e=*f* and <https://g.example/_h_>, or me@i.example.',
  '\\<b\\> \\* AT&amp;T 5 &lt; 6 {{ no mention }}',
  'مرحبا **بكم** في [الموقع](https://a.example)',
  'こんにちは**世界**です',
  'Snake_case_name and 2 * 3 * 4',
];

const LOST = [
  ...demo.filter(hasTable),
  'A <sup>2</sup>',
  '<p>x</p>',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '![picture](https://a.example/b.png)',
  '[by name][n]\n\n[n]: https://a.example',
];

describe('opening a text', () => {
  it('finds the texts of the demo', () => expect(demo.length).toBeGreaterThan(60));

  it.each([...plain, ...BY_HAND])('writes it back unchanged (%#)', (source) => {
    const { doc, blocks } = mustOpen(source);
    expect(blocks).toHaveLength(doc.childCount);
    expect(writeMarkdown(doc, knownOf(doc, blocks))).toBe(source);
  });

  it.each([...plain, ...BY_HAND])('keeps its meaning when written from scratch (%#)', (source) => {
    const { doc } = mustOpen(source);
    const again = mustOpen(writeMarkdown(doc));
    expect(again.doc.toJSON()).toEqual(doc.toJSON());
  });

  it('keeps untouched blocks', () => {
    const source = '* a\n* b\n\nsecond __block__\n\nthird __block__';
    const { doc, blocks } = mustOpen(source);
    const changed = doc.type.create(null, [
      doc.child(0),
      schema.node('paragraph', null, schema.text('new')),
      doc.child(2),
    ]);
    expect(writeMarkdown(changed, knownOf(doc, blocks))).toBe('* a\n* b\n\nnew\n\nthird __block__');
  });

  it.each(LOST)('leaves it to the plain field when something would be lost (%#)', (source) => {
    expect(open(source)).toBeNull();
  });

  it('never loses anything, whatever the source', () => {
    const piece = fc.oneof(
      fc.constantFrom(...BY_HAND, ...LOST, ...demo.slice(0, 10)),
      fc.constantFrom(
        '\n',
        '\n\n',
        '  ',
        '- ',
        '1. ',
        '> ',
        '# ',
        '`',
        '*',
        '_',
        '~~',
        '<',
        '&',
        '[',
        '](',
        '{{',
        '\\',
        '@',
      ),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const source = pieces.join('').trim();
        const opened = open(source);
        if (!opened) return;
        const again = open(writeMarkdown(opened.doc));
        expect(again?.doc.toJSON()).toEqual(opened.doc.toJSON());
      }),
      { numRuns: 300 },
    );
  });
});

describe('typing', () => {
  const sign = fc.constantFrom(
    ...'*_`~[]()<>&{}\\#-+.!|:;/@"\' abc123é日م'.split(''),
    '&amp;',
    '{{',
    '1. ',
    '- ',
    '> ',
  );

  it('is taken literally, whatever Markdown makes of the characters', () => {
    fc.assert(
      fc.property(fc.array(sign, { minLength: 1, maxLength: 14 }), (signs) => {
        const typed = signs.join('').replace(/\s+/g, ' ').trim();
        if (!typed) return;
        const again = mustOpen(writeMarkdown(document(paragraph(text(typed)))));
        expect(again.doc.textContent).toBe(typed);
        expect(again.doc.childCount).toBe(1);
      }),
      { numRuns: 800 },
    );
  });

  it('mentions a user', () => {
    const doc = document(paragraph(text('Hello '), { type: 'mention', attrs: { id: ADA, name: 'Ada' } }, text('!')));
    expect(writeMarkdown(doc)).toBe(`Hello {{${ADA}}}!`);
  });

  it('turns an address into a link, with and without a link text', () => {
    const link = (href: string) => ({ type: 'link', attrs: { href } });
    const bare = 'https://a.example/b_c_d';
    expect(writeMarkdown(document(paragraph(text(bare, link(bare)))))).toBe(bare);
    expect(writeMarkdown(document(paragraph(text(bare))))).toBe(bare);
    expect(writeMarkdown(document(paragraph(text('here', link('https://a.example/(b)')))))).toBe(
      '[here](https://a.example/\\(b\\))',
    );
  });

  it('starts no list after a line break', () => {
    const doc = document(paragraph(text('a'), { type: 'hardBreak' }, text('- b'), { type: 'hardBreak' }, text('1) c')));
    expect(mustOpen(writeMarkdown(doc)).doc.toJSON()).toEqual(mustOpen('a\\\n\\- b\\\n1\\) c').doc.toJSON());
    expect(mustOpen(writeMarkdown(doc)).doc.childCount).toBe(1);
  });

  it('drops empty lines', () => {
    expect(writeMarkdown(document(paragraph(), paragraph(text('a')), paragraph(), paragraph(text('b'))))).toBe(
      'a\n\nb',
    );
    expect(writeMarkdown(document(paragraph()))).toBe('');
  });
});

function knownOf(doc: Node, blocks: string[]): Map<Node, string> {
  return new Map(doc.children.map((block, index) => [block, blocks[index] ?? '']));
}
