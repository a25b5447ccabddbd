import type { RichText, RichTextNode } from '@officium/contract/rich-text';
import { describe, expect, it } from 'vitest';
import { engineOf } from '#server/test/factories/translation.ts';
import { isFaithful, translateWith, type TranslationTask } from './translation.ts';

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

const original = document(
  node('heading-2', textNode('Hello')),
  node(
    'paragraph',
    textNode('Read '),
    link('https://example.org/a', textNode('this', 'bold')),
    textNode(` {{${UUID}}}`),
  ),
);
const rich = (content: unknown) => isFaithful({ encoding: 'rich-text', content: original }, content);

describe('isFaithful', () => {
  it('accepts different words in the same structure', () => {
    expect(
      rich(
        document(
          node('heading-2', textNode('Bonjour')),
          node(
            'paragraph',
            textNode('Lisez '),
            link('https://example.org/a', textNode('ceci', 'bold')),
            textNode(` {{${UUID}}} !`),
          ),
        ),
      ),
    ).toBe(true);
  });

  it('rejects a changed node type, mark, address or number of nodes', () => {
    const second = original.content[1]!; // written above
    expect(rich(document(node('heading-3', textNode('Bonjour')), second))).toBe(false);
    expect(rich(document(node('heading-2', textNode('Bonjour', 'bold')), second))).toBe(false);
    expect(rich(document(node('heading-2', textNode('Bonjour'), textNode('!')), second))).toBe(false);
    expect(rich(document(second))).toBe(false);
    const elsewhere = JSON.parse(JSON.stringify(original).replace('example.org', 'example.com'));
    expect(rich(elsewhere)).toBe(false);
    expect(rich(JSON.parse(JSON.stringify(original).replace('https://', 'javascript://')))).toBe(false);
  });

  it('rejects an emptied text and a lost or changed mention', () => {
    expect(rich(JSON.parse(JSON.stringify(original).replace('Hello', '')))).toBe(false);
    expect(rich(JSON.parse(JSON.stringify(original).replace(UUID, `${UUID.slice(0, -1)}1`)))).toBe(false);
    expect(rich(JSON.parse(JSON.stringify(original).replace(`{{${UUID}}}`, 'them')))).toBe(false);
  });

  it('checks that plain texts are not empty and keep their mentions', () => {
    const plain = { encoding: 'plain-text', content: `Ask {{${UUID}}}` } as const;
    expect(isFaithful(plain, `{{${UUID}}} fragen`)).toBe(true);
    for (const answer of ['', 'fragen', `{{${UUID}}} {{${UUID}}}`, 7, null, original])
      expect(isFaithful(plain, answer)).toBe(false);
  });
});

describe('translateWith', () => {
  const task: TranslationTask = {
    encoding: 'rich-text',
    content: original,
    source: 'en',
    target: 'fr',
    model: 'fast',
    temperature: 0.2,
  };
  it('returns a faithful translation', async () => {
    expect(
      await translateWith(
        engineOf(async () => structuredClone(original)),
        task,
      ),
    ).toEqual(original);
  });
  it('takes only the words of a faithful translation', async () => {
    const bare = JSON.parse(JSON.stringify(original).replaceAll(',"marks":[]', '').replaceAll(',"data":{}', ''));
    bare.content[0].content[0].value = 'Bonjour';
    const expected = structuredClone(original);
    expected.content[0]!.content![0]!.value = 'Bonjour'; // written above
    expect(
      await translateWith(
        engineOf(async () => bare),
        task,
      ),
    ).toEqual(expected);
    const ruled = document(node('paragraph', textNode('Hello')), { nodeType: 'hr', data: {} });
    const answer = document(node('paragraph', textNode('Bonjour')), { nodeType: 'hr', data: {}, content: [] });
    expect(
      await translateWith(
        engineOf(async () => answer),
        { ...task, content: ruled },
      ),
    ).toEqual(document(node('paragraph', textNode('Bonjour')), { nodeType: 'hr', data: {} }));
  });
  it('throws translation.unavailable without an engine or when it fails', async () => {
    await expect(translateWith(undefined, task)).rejects.toMatchObject({ code: 'translation.unavailable' });
    const broken = engineOf(() => Promise.reject(new Error('down')));
    await expect(translateWith(broken, task)).rejects.toMatchObject({ code: 'translation.unavailable' });
  });
  it('throws translation.invalid for an unfaithful answer', async () => {
    await expect(
      translateWith(
        engineOf(async () => 'text'),
        task,
      ),
    ).rejects.toMatchObject({
      code: 'translation.invalid',
    });
  });
});
