import type { RichText, RichTextNode } from '@officium/contract/rich-text';
import { describe, expect, it } from 'vitest';
import { isFaithful } from './translation.ts';
import { capitals } from './fake-translation.ts';
import { UnfaithfulAnswer } from './passages.ts';
import { translateRichText } from './rich-text.ts';

const UUID = '0190a1b2-0000-7000-8000-000000000000';
const textNode = (value: string, ...marks: string[]): RichTextNode => ({
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
  node('heading-2', textNode('Hello there')),
  node(
    'paragraph',
    textNode('Read '),
    link('https://example.org/a', textNode('this', 'bold'), textNode(' page')),
    textNode(' & '),
    textNode('npm ci', 'code'),
    textNode(' '),
    textNode('soon', 'italic'),
    textNode(`, {{${UUID}}}, or see https://example.org/b.`),
  ),
  node('hr'),
  node(
    'table',
    node('table-row', node('table-cell', node('paragraph', textNode('2 < 3')), node('paragraph', textNode('')))),
  ),
);

describe('translateRichText', () => {
  it('writes the translated words of every block into their nodes', async () => {
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

  it('translates node by node when the engine reorders nodes', async () => {
    const content = document(
      node('paragraph', textNode('Read '), textNode('this', 'bold'), textNode(' and '), textNode('that', 'italic')),
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

  it('rejects a passage that is empty in both attempts', async () => {
    await expect(translateRichText(original, async (texts) => texts.map(() => ''))).rejects.toThrow(UnfaithfulAnswer);
  });

  it('does not call the engine when there are no words', async () => {
    const numbers = document(node('paragraph', textNode('12 + 3')), node('paragraph', textNode('npm ci', 'code')));
    const silent = async () => await Promise.reject(new Error('asked'));
    expect(await translateRichText(numbers, silent)).toEqual(numbers);
  });
});
