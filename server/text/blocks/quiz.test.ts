import { describe, expect, it, test } from 'vitest';
import { expectBalanced, expectSafe } from '../../test/safe-html.ts';
import { textLabels } from '../labels.ts';
import { markdownToPlainText, renderMarkdown } from '../markdown.ts';
import { XSS_CORPUS } from '../xss-corpus.ts';
import { checkAnswer, readNumbers } from './quiz-answer.ts';
import { readQuiz, type Quiz } from './quiz.ts';
import { LESSON_BLOCKS } from './registry.ts';
import type { BlockSet } from './block.ts';

const html = (source: string) => renderMarkdown(source, { blocks: LESSON_BLOCKS, ...textLabels('en') }).html;
const CHOICE = `:::quiz{#sum}
What is **2 + 2**?

- [ ] three
  > low SECRET
- [x] *four*

  > SECRET yes
- [ ] five

> SECRET in general
:::`;

/** The questions of a text with their keys, as the server reads them. */
function quizzesOf(source: string): { quiz: Quiz; attributes: Readonly<Record<string, string>> }[] {
  const found: { quiz: Quiz; attributes: Readonly<Record<string, string>> }[] = [];
  const render: NonNullable<ReturnType<BlockSet['get']>>['render'] = (view) => {
    found.push({ quiz: readQuiz(view), attributes: view.attributes });
    return '';
  };
  const blocks = new Map([...LESSON_BLOCKS, ['quiz', { ...LESSON_BLOCKS.get('quiz')!, render }]]); // in the list
  renderMarkdown(source, { blocks });
  return found;
}

function check(source: string, given: { choice?: number[]; text?: string }) {
  const [{ quiz, attributes }] = quizzesOf(source) as [ReturnType<typeof quizzesOf>[number]]; // one question
  return checkAnswer(quiz, attributes, { choice: [], text: '', ...given });
}

describe('a question', () => {
  it('is a form without its key', () => {
    const rendered = html(CHOICE);
    expect(rendered).toContain('<form class="quiz" id="quiz-sum" method="post" action="#quiz-sum-result">');
    expect(rendered).toContain('<legend>What is <strong>2 + 2</strong>?</legend>');
    expect(rendered).toContain(
      '<label class="quiz-option"><input type="radio" name="choice" value="2"> <em>four</em></label>',
    );
    expect(rendered).not.toMatch(/SECRET|☑|☐|\[x\]/);
    expect(markdownToPlainText(CHOICE, { blocks: LESSON_BLOCKS })).toBe('What is 2 + 2?\nthree\nfour\nfive');
    expect(rendered).toBe(html(CHOICE.replace('[x]', '[ ]').replace('[ ] three', '[x] three')));
  });

  it('with several right answers has check boxes', () => {
    expect(html(CHOICE.replace('[ ] five', '[x] five')).match(/type="checkbox"/g)).toHaveLength(3);
  });

  it('with an answer to type does not show it', () => {
    const rendered = html(
      ':::quiz{type=number answer=42 tolerance=0.5}\nHow many?\n\n> SECRET\n:::\n\n:::quiz{type=text answer="a|SECRET" case=true}\nWhich?\n:::',
    );
    expect(rendered).not.toMatch(/SECRET|42|0\.5/);
    expect(rendered).toContain('inputmode="decimal"');
    expect(html(':::quiz{type=true-false answer=true}\nIs it?\n:::')).toBe(
      html(':::quiz{type=true-false answer=false}\nIs it?\n:::'),
    );
  });

  test.each([
    ':::quiz\n- [x] SECRET\n',
    ':::quiz\nQ\n\n> - [x] a\n\n- [ ] b\n- c\n:::',
    ':::quiz\nQ\n\n1. [x] a\n2. [ ] b\n\n- [x] SECRET c\n:::',
    ':::quiz\nQ\n\n- [ ] a\n\n:::quiz\nSECRET\n- [x] SECRET\n:::',
  ])('written wrongly gives nothing away: %j', (source) => {
    expect(
      html(source).replace('<label class="quiz-option"><input type="radio" name="choice" value="1"> SECRET', ''),
    ).not.toMatch(/SECRET|☑/);
  });

  it('has an id of its own in each text', () => {
    const three = `${CHOICE}\n\n${CHOICE}\n\n${CHOICE.replace('#sum', 'id=3')}`;
    expect([...html(three).matchAll(/<form class="quiz" id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      'quiz-sum',
      'quiz-2',
      'quiz-3',
    ]);
  });

  test.each(XSS_CORPUS)('with %j is safe', (evil) => {
    const line = evil.replaceAll('\n', ' ');
    const source = `:::quiz[${line}]{type="${line}" answer="${line}"}\n${evil}\n\n- [x] ${line}\n  > ${line}\n- [ ] ${evil}\n:::`;
    expectSafe(html(source));
    expectBalanced(html(source));
  });

  test.each([
    ':::quiz\nQ\n- [x] a\n- [ ] b\n:::\n',
    ':::quiz\n- [x] a\n',
    '- [x] a\n',
    '- [x] a\n  > b\n',
    ':::quiz{type=text answer=a}\n> b\n:::\n',
  ])('takes reasonable time: %j', (piece) => {
    const started = performance.now();
    html(`:::quiz\nQ\n${piece.repeat(Math.floor(65_000 / piece.length))}`);
    html(piece.repeat(Math.floor(65_000 / piece.length)));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe('checkAnswer', () => {
  it('tells about chosen options only', () => {
    expect(check(CHOICE, { choice: [1] })).toEqual({ isCorrect: false, options: [{ option: 1, isCorrect: false }] });
    expect(check(CHOICE, { choice: [2] })).toEqual({ isCorrect: true, options: [{ option: 2, isCorrect: true }] });
    const many = CHOICE.replace('[ ] five', '[x] five');
    expect(check(many, { choice: [2] })?.isCorrect).toBe(false);
    expect(check(many, { choice: [3, 2, 3] })).toEqual({
      isCorrect: true,
      options: [
        { option: 2, isCorrect: true },
        { option: 3, isCorrect: true },
      ],
    });
    for (const choice of [[], [0], [4], [1.5], [2, 9]]) expect(check(CHOICE, { choice })).toBeUndefined();
  });

  it('knows true from false, and never accepts anything without a right answer', () => {
    const source = (answer: string) => `:::quiz{type=true-false ${answer}}\nQ\n:::`;
    expect(check(source('answer=true'), { choice: [1] })?.isCorrect).toBe(true);
    expect(check(source('answer=false'), { choice: [1] })?.isCorrect).toBe(false);
    for (const option of [1, 2]) expect(check(source(''), { choice: [option] })?.isCorrect).toBe(false);
    expect(check(':::quiz{type=text}\nQ\n:::', { text: 'x' })?.isCorrect).toBe(false);
    expect(check(':::quiz{type=number}\nQ\n:::', { text: '0' })?.isCorrect).toBe(false);
  });

  test.each([
    ['answer=42', '42', true],
    ['answer=42', ' ٤٢ ', true],
    ['answer=42 tolerance=0.5', '42,5', true],
    ['answer=42 tolerance=0.5', '42.51', false],
    ['answer=0.3', '0,3', true],
    ['answer=1234', '1,234', true],
    ['answer=1.234', '1,234', true],
    ['answer=1234567.5', '1.234.567,5', true],
    ['answer=-3', '−3', true],
    ['answer=42', 'forty-two', false],
    ['answer=42', '4 2', true],
  ])('compares numbers: %s with %s', (attributes, text, isCorrect) => {
    expect(check(`:::quiz{type=number ${attributes}}\nQ\n:::`, { text })?.isCorrect).toBe(isCorrect);
  });

  test.each([
    ['answer="Élan vital|x"', ' elan  VITAL ', true],
    ['answer="Élan" case=true', 'elan', false],
    ['answer="Élan" accents=true', 'elan', false],
    ['answer="Élan" accents=true', 'élan', true],
    ['answer="がく"', 'かく', false],
    ['answer="مدرسة"', 'مَدْرَسَة', true],
    ['answer="a|b"', 'a|b', false],
    ['answer="a|b"', 'b', true],
    ['answer="a|"', '', undefined],
  ])('compares texts: %s with %s', (attributes, text, isCorrect) => {
    expect(check(`:::quiz{type=text ${attributes}}\nQ\n:::`, { text })?.isCorrect).toBe(isCorrect);
  });

  it('reads numbers of any length in reasonable time', () => {
    const started = performance.now();
    for (const piece of ['1', '1,', '1.', ',', '.', '1,111.', ' ', '-']) readNumbers(piece.repeat(50_000));
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
