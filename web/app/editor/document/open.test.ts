import { globSync, readFileSync } from 'node:fs';
import { getSchema } from '@tiptap/core';
import { Fragment, Slice, type Node } from '@tiptap/pm/model';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LESSON_BLOCKS } from '../../../../server/text/blocks/registry.ts';
import { renderMarkdown } from '../../../../server/text/markdown.ts';
import { BLOCK_NAMES, BLOCK_TYPES } from './block-types.ts';
import { documentExtensions } from './nodes.ts';
import { openDocument } from './open.ts';
import { writeDocument } from './write.ts';

const schema = getSchema(documentExtensions);
const mustOpen = (source: string) => {
  const opened = openDocument(schema, source);
  if (!opened) throw new Error(`cannot be opened: ${source}`);
  return opened;
};
const shown = (source: string) =>
  renderMarkdown(source, { blocks: LESSON_BLOCKS, resolveImage: (src) => src })
    .html.replace(/<input type="hidden"[^>]*>/g, '') // the digest of a question depends on its line breaks
    .replace(/\s+/g, ' ')
    .replace(/ ?(<\/?[a-z][^>]*>) ?/g, '$1')
    .trim();
/** A document without the numbers of colons, which grow when blocks are written anew. */
const contentOf = (doc: Node) => JSON.stringify(doc.toJSON()).replace(/"colons":\d+/g, '');
const rawOf = (doc: Node) => {
  const found: string[] = [];
  doc.descendants((node) => void (node.type.name === 'raw' && found.push(node.textContent)));
  return found;
};

const DEMO = new URL('../../../../demo/', import.meta.url);
const demo = globSync('{lessons,articles,micro,site}/**/*.md', { cwd: DEMO }).map(
  (file) => [file, readFileSync(new URL(file, DEMO), 'utf8').replaceAll('\r\n', '\n')] as const,
);

const HOSTILE = [
  '',
  '\n\n',
  '  \n# A\ntext\n\n\n\n- a\n\n\n- b\n',
  ':::callout\n:::',
  ':::callout{kind=tip}\n\n\nText\n\n:::   \n\nafter',
  ':::callout[A \\[title\\] with [brackets]]{kind="warning"}\nText\n:::\ntext right after',
  ':::callout\nnever closed',
  '::::callout\n:::accordion[A]\n:::steps\n1. a\n:::\n:::\n::::',
  ':::::columns\n::::column\nA\n::::\n::::column\n:::tip\nunknown\n:::\n::::\n:::::',
  '::::columns\nstray\n:::column\nA\n:::\n::::',
  '::::columns\n::::',
  ':::column\nnot in columns\n:::',
  '::::tabs\n:::tab[One]\n- a\n  - b\n:::\n:::tab\n| a | b |\n|:--|--:|\n| 1 \\| 2 | `c` |\n:::\n::::',
  ':::quiz{#id type=choice tags="a, b"}\nQ?\n\n- [x] A\n  > why\n- [ ] **B**\n\n> after\n:::',
  ':::quiz{type=number answer=42 tolerance=0.5}\nHow many?\n:::',
  ':::quiz{type=open words=200}\nWhy?\n\n- [2] Names **the** risk\n- [1] Gives an example\n\n> A model answer\n:::',
  ':::quiz\n:::callout\ninside a question\n:::\n:::',
  '::video[Film]{src=media/a.mp4 captions-en=media/a.vtt poster="images/a b.webp"}\n::embed[X]{src=https://a.example/?a=1&b=2}',
  '::video[never ends\n::file{src}\n:::file[A]{src=a.pdf}',
  '```\n:::callout\n```\n\n````md\n```\n:::\n```\n````',
  ':::callout\n```\n:::\n```\nafter\n:::',
  '- item\n\n  :::callout\n  in a list\n  :::\n- other',
  '> :::callout\n> in a quotation\n> :::',
  '    :::callout\n    code\n    :::',
  'A <sup>2</sup>\n\n<div>\n\n*in html*\n\n</div>\n\n<!-- note -->\n\ntext',
  '<details open>\n<summary>x</summary>\n\n- a\n\n</details>',
  '<!-- never closed\n\ntext',
  '$$\na^2\n# b\n$$\n\ninline $$x_1$$ and 5 $ or $$',
  '[by name][n] and ![pic][p]\n\n[n]: https://a.example "T"\n[p]: /images/a.webp\n\nafter',
  '![A *b* c](/images/a.webp "Title") text ![](<images/a b.png>)',
  '- [ ] open\n- [X] done\n- [x]no\n\n1) one\n2) two',
  '* a\n* b\n\n+ c\n\n- d\n\n      code in a list\n\n    code after a list',
  'a | b\n--- | ---\n1 | 2\ntext after',
  '| a |\n|---|\n| 1 | 2 |\n|\n| x | y | z |',
  'Line\\\nbreak and  \ntwo spaces\n\nSetext\n===\n\n***\n\n___',
  'مرحبا **بكم**\n\n:::callout[عنوان]\nنص\n:::',
  '日本\n語と**世界**です。',
  '\\:::callout\n\\::embed text ::: and :: in it',
  '{{0190a8b2-1111-7222-8333-444455556666}} is named',
  ':::callout\n\n:::\n:::\n\n::::',
  '- a\n:::callout\nright below a list\n:::\n> quote\n:::steps\n:::',
  ':::accordion[A]{open}\n:::callout{kind=tip}\nX\n:::\n:::',
];

const everything = [...demo, ...HOSTILE.map((source) => [source, source] as const)];

describe('opening a text of a lesson or an article', () => {
  it('knows the blocks of the server', () => {
    const own = BLOCK_NAMES.map((name) => [name, BLOCK_TYPES[name].kind === 'leaf', BLOCK_TYPES[name].parent]);
    const server = [...LESSON_BLOCKS].map(([name, { kind, parent }]) => [name, kind === 'leaf', parent]);
    const byName = (one: unknown[], other: unknown[]) => String(one[0]).localeCompare(String(other[0]));
    expect(own.toSorted(byName)).toEqual(server.toSorted(byName));
  });

  it('finds the texts of the demo', () => expect(demo.length).toBeGreaterThan(60));

  it.each(everything)('writes it back byte for byte: %s', (_name, source) => {
    const opened = openDocument(schema, source);
    if (opened) expect(writeDocument(opened.doc, opened.known)).toBe(source.trim() === '' ? '' : source);
    else expect(source).toContain('<!-- never closed');
  });

  it.each(everything)('keeps what readers see when every block is written anew: %s', (_name, source) => {
    const { doc } = openDocument(schema, source) ?? {};
    if (!doc) return;
    const again = writeDocument(doc);
    expect(shown(again)).toBe(shown(source));
    expect(contentOf(mustOpen(again).doc)).toBe(contentOf(doc));
  });

  it('shows all of the demo except HTML and formulas', () => {
    const raw = demo.flatMap(([, source]) => rawOf(mustOpen(source).doc));
    expect(raw.filter((text) => !/<[a-z!]|\$\$|^\[.*\]:/.test(text))).toEqual([]);
  });

  it('changes only the block that is edited', () => {
    const source = '*  a\n*  b\n\n\n# Title #\n\n:::callout{ kind=tip }\n__bold__\n\n_two_\n:::\n\nlast  \nline\n';
    const { doc, known } = mustOpen(source);
    const edited = replaceText(doc, 'two', 'three');
    expect(writeDocument(edited, known)).toBe(source.replace('_two_', '*three*'));
    expect(writeDocument(replaceText(edited, 'three', 'two'), known)).toBe(source); // as after undoing
  });

  it('never loses a text, whatever it is made of', () => {
    const piece = fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.constantFrom(...demo.slice(0, 12).map(([, source]) => source.slice(0, 600))),
      fc.constantFrom(
        ...'\n|\n\n|  |- |1. |> |# |`|```|*|_|~~|<|&|[|](|{{|\\|:::|::|:::callout|::::tabs|:::tab|$$|- [ ] '.split('|'),
      ),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const source = pieces.join('').replace(/\r\n?/g, '\n').toWellFormed().replaceAll('\0', '');
        const opened = openDocument(schema, source);
        if (!opened) return;
        const { doc, known } = opened;
        expect(writeDocument(doc, known)).toBe(source.trim() === '' ? '' : source);
        expect(shown(writeDocument(doc))).toBe(shown(source));
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 300) },
    );
  });
});

function replaceText(doc: Node, from: string, to: string): Node {
  let at = -1;
  doc.descendants((node, position) => {
    if (node.isText && node.text?.includes(from)) at = position + node.text.indexOf(from);
  });
  const marks = doc.resolve(at + 1).marks();
  return doc.replace(at, at + from.length, new Slice(Fragment.from(schema.text(to, marks)), 0, 0));
}
