import type { RichText, RichTextNode } from '@officium/contract/rich-text';
import { describe, expect, it } from 'vitest';
import { isFaithful } from './translation.ts';
import { capitals } from './fake-say.ts';
import { UnfaithfulAnswer } from './passages.ts';
import { translateRichText } from './rich-text.ts';

const UUID = '0190a1b2-0000-7000-8000-000000000000';
const said = (value: string, ...marks: string[]): RichTextNode => ({
  nodeType: 'text',
  value,
  marks: marks.map((type) => ({ type })),
  data: {},
});
const node = (nodeType: string, ...content: RichTextNode[]): RichTextNode => ({ nodeType, data: {}, content });
const link = (uri: string, ...content: RichTextNode[]) => ({ ...node('hyperlink', ...content), data: { uri } });
const document = (...content: RichTextNode[]): RichText => ({ nodeType: 'document', data: {}, content });
const words = ({ value, content = [] }: RichTextNode): string[] =>
  value === undefined ? content.flatMap(words) : [value];

const original = document(
  node('heading-2', said('Hello there')),
  node(
    'paragraph',
    said('Read '),
    link('https://example.org/a', said('this', 'bold'), said(' page')),
    said(' & '),
    said('npm ci', 'code'),
    said(' '),
    said('soon', 'italic'),
    said(`, {{${UUID}}}, or see https://example.org/b.`),
  ),
  node('hr'),
  node('table', node('table-row', node('table-cell', node('paragraph', said('2 < 3')), node('paragraph', said(''))))),
);

describe('translateRichText', () => {
  it('puts the words of every block back into their nodes', async () => {
    const asked: string[][] = [];
    const translated = await translateRichText(original, async (texts) => {
      asked.push(texts);
      return await capitals(texts);
    });
    expect(asked).toHaveLength(1);
    expect(words(translated)).toEqual([
      'HELLO THERE',
      'READ ',
      'THIS',
      ' PAGE',
      ' & ',
      'npm ci',
      ' ',
      'SOON',
      `, {{${UUID}}}, OR SEE https://example.org/b.`,
      '2 < 3',
      '',
    ]);
    expect(isFaithful({ encoding: 'rich-text', content: original }, translated)).toBe(true);
  });

  it('goes node by node where an engine turned them round', async () => {
    const content = document(
      node('paragraph', said('Read '), said('this', 'bold'), said(' and '), said('that', 'italic')),
    );
    const asked: string[][] = [];
    const translated = await translateRichText(content, async (texts) => {
      asked.push(texts);
      if (asked.length > 1) return await capitals(texts);
      return ['<g id="2">That</g> and <g id="1">this</g> read'];
    });
    expect(asked.at(-1)).toEqual(['Read', 'this', 'and', 'that']);
    expect(words(translated)).toEqual(['READ ', 'THIS', ' AND ', 'THAT']);
  });

  it('refuses what comes back empty a second time', async () => {
    await expect(translateRichText(original, async (texts) => texts.map(() => ''))).rejects.toThrow(UnfaithfulAnswer);
  });

  it('asks nothing when there is nothing to say', async () => {
    const numbers = document(node('paragraph', said('12 + 3')), node('paragraph', said('npm ci', 'code')));
    const silent = async () => await Promise.reject(new Error('asked'));
    expect(await translateRichText(numbers, silent)).toEqual(numbers);
  });
});
