import { expect, it, test } from 'vitest';
import { LESSON_BLOCKS } from '../../../server/text/blocks/registry.ts';
import { markdownToPlainText, parseMarkdown } from '../../../server/text/markdown.ts';
import { BLOCKS, insertBlock, menuOf, templateOf, type TemplateWords } from './markdown-blocks.ts';

const words: TemplateWords = {
  title: 'Title',
  text: 'Text',
  question: 'Question?',
  right: 'Yes',
  wrong: 'No',
  rightWhy: 'Because',
  wrongWhy: 'Since',
  stepOne: 'One',
  stepTwo: 'Two',
};

test.each(menuOf(BLOCKS))('the template of %s is a block without problems', (name) => {
  const problems: never[] = [];
  const [first] = parseMarkdown(templateOf(name, words).text, { blocks: LESSON_BLOCKS, problems });
  expect([first?.type, problems]).toEqual(['block_open', []]);
});

it('stands after the line of the caret, and its first words are selected', () => {
  const source = 'One line\nand another\n\nlast';
  const { from, to, text, select } = insertBlock('accordion', words, source, 3);
  const result = source.slice(0, from) + text + source.slice(to);
  expect(result).toBe('One line\n\n:::accordion[Title]\nText\n:::\n\nand another\n\nlast');
  expect(result.slice(...select)).toBe('Title');
  expect(insertBlock('steps', words, '', 0).text).toBe(':::steps\n1. One\n2. Two\n:::');
  const quiz = insertBlock('quiz', words, 'a', 1);
  expect(markdownToPlainText(`a${quiz.text}`, { blocks: LESSON_BLOCKS })).toBe('a\nQuestion?\nYes\nNo');
});
