import { getSchema } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { EditorState, TextSelection } from '@tiptap/pm/state';
import { describe, expect, it } from 'vitest';
import { deleteBlock, insertBlocks, moveBlock, placeOf, selectedPlace } from './blocks.ts';
import { offsetInSource, positionInDocument } from './caret.ts';
import { documentExtensions } from './nodes.ts';
import { openDocument, type OpenedDocument } from './open.ts';
import { writeDocument } from './write.ts';

const schema = getSchema(documentExtensions);
const open = (source: string): OpenedDocument => openDocument(schema, source)!; // no text here has an open end

function find(doc: Node, text: string): number {
  let found = -1;
  doc.descendants((node, at) => {
    const index = node.isText ? (node.text ?? '').indexOf(text) : -1;
    if (index !== -1) found = at + index;
  });
  return found;
}

/** Does something with the cursor before a text, and returns the Markdown. */
function act(source: string, at: string, run: (state: EditorState, dispatch: (tr: EditorState['tr']) => void) => void) {
  const { doc, known } = open(source);
  let state = EditorState.create({ doc });
  state = state.apply(state.tr.setSelection(TextSelection.create(doc, find(doc, at))));
  run(state, (transaction) => (state = state.apply(transaction)));
  return writeDocument(state.doc, known);
}

const SOURCE = '*  first\n\nlast\n\n:::callout\nin\n\nout\n:::\n';
const move = (at: string, step: -1 | 1) =>
  act(SOURCE, at, (state, dispatch) => moveBlock(state, selectedPlace(state)!, step, dispatch));
const remove = (source: string, at: string) =>
  act(source, at, (state, dispatch) => deleteBlock(state, selectedPlace(state)!, dispatch));
const insert = (source: string, at: string, blocks: string) =>
  act(source, at, (state, dispatch) => insertBlocks(state, open(blocks).doc.children, dispatch));

describe('a block', () => {
  it('moves past its neighbours and leaves a frame at its end', () => {
    expect(move('last', -1)).toBe('last\n\n*  first\n\n:::callout\nin\n\nout\n:::\n');
    expect(move('last', 1)).toBe('*  first\n\n:::callout\nin\n\nout\n:::\n\nlast\n');
    expect(move('in', 1)).toBe('*  first\n\nlast\n\n:::callout\nout\n\nin\n:::\n');
    expect(move('out', 1)).toBe('*  first\n\nlast\n\n:::callout\nin\n:::\n\nout\n');
    expect(move('in', -1)).toBe('*  first\n\nlast\n\nin\n\n:::callout\nout\n:::\n');
    expect(move('first', -1)).toBe(SOURCE);
  });

  it('is found at the beginning of the text', () => {
    const { doc } = open(':::callout\nA\n:::\n\nB');
    expect(placeOf(doc.resolve(0))?.node.type.name).toBe('frame');
  });

  it('is deleted, with its frame if it is the only one in it', () => {
    expect(remove(SOURCE, 'in')).toBe('*  first\n\nlast\n\n:::callout\nout\n:::\n');
    expect(remove(':::callout\nin\n:::\n\nafter', 'in')).toBe('after');
    expect(remove('only', 'only')).toBe('');
  });

  it('is inserted below the cursor, where it may stand', () => {
    expect(insert('a\n\nb', 'a', '---')).toBe('a\n\n---\n\nb');
    expect(insert(':::callout\na\n:::', 'a', ':::steps\n1. b\n:::')).toBe(
      '::::callout\na\n\n:::steps\n1. b\n:::\n::::',
    );
    expect(insert(':::quiz\nQ\n:::', 'Q', ':::callout\nX\n:::')).toBe(':::quiz\nQ\n:::\n\n:::callout\nX\n:::');
    expect(insert('- a\n- b', 'a', ':::callout\nX\n:::')).toBe('- a\n- b\n\n:::callout\nX\n:::');
    const deep = '::::::callout\n:::::callout\n::::callout\n:::callout\na\n:::\n::::\n:::::\n::::::';
    expect(insert(deep, 'a', ':::steps\n1. b\n:::')).toContain(':::\n\n:::steps');
  });
});

describe('the cursor', () => {
  it.each(['One', 'three', 'four', 'five'])('stays at %s between text and Markdown', (word) => {
    const source = '_One_ two\n\n:::accordion[A]\nthree **four** the five\n:::\n\n```\nsix\n```';
    const { doc, known } = open(source);
    const position = find(doc, word);
    expect(
      writeDocument(doc, known)
        .slice(offsetInSource(doc, position, known))
        .replace('**', ''),
    ).toMatch(new RegExp(`^${word}`));
    expect(positionInDocument(schema, doc, source, source.indexOf(word))).toBe(position);
  });

  it('comes near where the Markdown has no text', () => {
    const source = 'a\n\n:::callout\nb\n:::';
    const { doc } = open(source);
    for (let offset = 0; offset <= source.length; offset++) {
      const position = positionInDocument(schema, doc, source, offset);
      expect(position).toBeGreaterThanOrEqual(0);
      expect(position).toBeLessThanOrEqual(doc.content.size);
    }
  });
});
