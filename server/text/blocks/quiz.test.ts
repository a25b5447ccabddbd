import { describe, expect, it, test } from 'vitest';
import { expectBalanced, expectSafe } from '../../test/safe-html.ts';
import { textLabels } from '../labels.ts';
import { markdownToPlainText, renderMarkdown } from '../markdown.ts';
import { XSS_CORPUS } from '../xss-corpus.ts';
import { checkAnswer, readNumbers, typedMatch } from './quiz-answer.ts';
import { keyOf, readQuiz, type Quiz } from './quiz-content.ts';
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

const MATCHING = `:::quiz{#match type=matching}
Who reads what?

- a *notice*
  - [x] citizens
  > SECRET one
- a circular
  - [x] staff
- a memo
  - [x] staff
- [ ] auditors

> SECRET in general
:::`;
const ORDERING = `:::quiz{#order type=ordering}
What comes first?

1. ask
2. draft
3. check
4. publish

> SECRET
:::`;

const GAPS = `:::quiz{type=gaps tolerance=0.5}
The law of [1] was passed by [2].

1. 1998
   > SECRET year
2. Parliament | the SECRET

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

function check(source: string, given: { choice?: number[]; text?: string; places?: number[]; gaps?: string[] }) {
  const [{ quiz, attributes }] = quizzesOf(source) as [ReturnType<typeof quizzesOf>[number]]; // one question
  return checkAnswer(quiz, keyOf(quiz, attributes), { choice: [], text: '', places: [], gaps: [], ...given });
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

  it('to match shows its prompts, and all answers in an order that is not that of the key', () => {
    const rendered = html(MATCHING);
    expect(rendered.match(/<select name="place">/g)).toHaveLength(3);
    expect(rendered).toContain('<label class="quiz-match"><span>a <em>notice</em></span> <select');
    expect(rendered).not.toMatch(/SECRET|☑|☐|\[x\]/);
    const swapped = MATCHING.replace('citizens', 'SWAP').replaceAll('staff', 'citizens').replace('SWAP', 'staff');
    expect(rendered).toBe(html(swapped));
    expect(html(MATCHING.replace('[ ] auditors', '[x] auditors'))).toBe(rendered);
    expect(markdownToPlainText(MATCHING, { blocks: LESSON_BLOCKS })).toBe(
      'Who reads what?\na notice\na circular\na memo',
    );
  });

  it('to order shows the same for each right order', () => {
    const items = ['ask', 'draft', 'check', 'publish'];
    const inOrder = (order: string[]) =>
      ORDERING.replace(/1\.[^]*publish/, order.map((item, at) => `${at + 1}. ${item}`).join('\n'));
    const rendered = html(ORDERING);
    expect(rendered.match(/type="number" name="place" min="1" max="4"/g)).toHaveLength(4);
    expect(rendered).not.toContain('SECRET');
    for (const order of [items.toReversed(), ['check', 'ask', 'publish', 'draft']])
      expect(html(inOrder(order))).toBe(rendered);
  });

  test.each([
    ':::quiz{type=orderin}\nQ\n\n1. SECRET\n2. SECRET b\n:::',
    ':::quiz{type}\nQ\n\n1. SECRET\n2. SECRET b\n:::',
    ':::quiz{type=match}\nQ\n\n- a\n  - SECRET\n- b\n  - SECRET\n:::',
    ':::quiz{type=match}\nQ\n\n- a\n  - [x] SECRET\n- b\n  - [x] SECRET\n:::',
    ':::quiz{type=matching}\nQ\n\n- a\n  - SECRET\n- b\n  - SECRET\n:::',
    ':::quiz{type=matching}\nQ\n\n- a\n\n  SECRET\n- b\n  1. SECRET\n  2. SECRET\n:::',
  ])('to match or to order written wrongly gives nothing away: %j', (source) => {
    expect(html(source)).not.toMatch(/SECRET|☑/);
  });

  it('with gaps has a field for each, without its answers', () => {
    const rendered = html(GAPS);
    expect(rendered).toContain('<legend>The law of [1] was passed by [2].</legend>');
    expect(rendered.match(/<input type="text" name="gap"/g)).toHaveLength(2);
    expect(rendered).not.toMatch(/SECRET|1998|Parliament/);
    expect(html(':::quiz{type=gap}\nA [1].\n\n1. SECRET\n:::')).not.toContain('SECRET');
  });

  it('shows its hint to those who open it', () => {
    const rendered = html(CHOICE.replace('{#sum}', '{#sum hint="Count <b>your</b> fingers"}'));
    expect(rendered).toContain(
      '<details class="quiz-help"><summary>Hint</summary>\n<p>Count &lt;b&gt;your&lt;/b&gt; fingers</p></details>',
    );
  });

  it('is cut at twenty prompts and items, and stays a short page', () => {
    const pairs = Array.from({ length: 5_000 }, (_, at) => `- ${at}\n  - [x] ${at}b\n`).join('');
    const cut = html(`:::quiz{type=matching}\nQ\n\n${pairs}:::`);
    expect(cut.match(/<select/g)).toHaveLength(20);
    const many = `:::quiz{type=matching}\nQ\n\n${pairs.slice(0, 260)}\n:::\n\n`;
    expect(html(many.repeat(200)).length).toBeLessThan(3_000_000);
    const items = Array.from({ length: 10_000 }, (_, at) => `1. ${at}\n`).join('');
    expect(html(`:::quiz{type=ordering}\nQ\n\n${items}:::`).match(/type="number"/g)).toHaveLength(20);
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
    '- a\n  - [x] b\n',
    ':::quiz{type=matching}\nQ\n- a\n  - [x] b\n- c\n  - [x] d\n:::\n',
    ':::quiz{type=ordering}\n1. a\n2. b\n:::\n',
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
    expect(check(CHOICE, { choice: [1] })).toMatchObject({
      isCorrect: false,
      options: [{ option: 1, isCorrect: false }],
    });
    expect(check(CHOICE, { choice: [2] })).toMatchObject({
      isCorrect: true,
      options: [{ option: 2, isCorrect: true }],
    });
    const many = CHOICE.replace('[ ] five', '[x] five');
    expect(check(many, { choice: [2] })?.isCorrect).toBe(false);
    expect(check(many, { choice: [3, 2, 3] })).toMatchObject({
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

  it('counts right pairs, and tells about answered prompts only', () => {
    const [{ quiz }] = quizzesOf(MATCHING) as [ReturnType<typeof quizzesOf>[number]]; // one question
    const [notice, staff] = quiz.places as [number, number]; // three prompts
    expect(quiz.places).toEqual([notice, staff, staff]);
    expect(check(MATCHING, { places: quiz.places })).toMatchObject({ isCorrect: true, right: 3, total: 3 });
    expect(check(MATCHING, { places: [notice, notice, 0] })).toEqual({
      isCorrect: false,
      right: 1,
      total: 3,
      options: [],
      prompts: [
        { prompt: 1, isCorrect: true },
        { prompt: 2, isCorrect: false },
      ],
    });
    for (const places of [[], [0, 0, 0], [1, 1], [1, 1, 1, 1], [1, 1, 4], [1, 1, -1], [1, 1, 1.5], [NaN, 1, 1]])
      expect(check(MATCHING, { places })).toBeUndefined();
    expect(check(MATCHING, { choice: [1], text: 'staff' })).toBeUndefined();
  });

  test.each([
    [[1, 2, 3, 4], 3],
    [[4, 1, 2, 3], 2],
    [[2, 3, 4, 1], 2],
    [[2, 1, 4, 3], 0],
    [[4, 3, 2, 1], 0],
    [[1, 2, 0, 0], 1],
    [[1, 2, 1, 2], 0],
    [[1, 2, 2, 3], 0],
    [[1, 1, 1, 1], 0],
  ])('counts items that follow the right one: positions %j', (positions, right) => {
    const [{ quiz }] = quizzesOf(ORDERING) as [ReturnType<typeof quizzesOf>[number]]; // one question
    const places = quiz.places.map((place) => positions[place - 1] ?? 0);
    expect(check(ORDERING, { places })).toMatchObject({ isCorrect: right === 3, right, total: 3 });
  });

  it('counts right gaps, as text or as a number', () => {
    expect(check(GAPS, { gaps: ['١٩٩٨', ' PARLIAMENT '] })).toMatchObject({ isCorrect: true, right: 2, total: 2 });
    expect(check(GAPS, { gaps: ['1998.4', ''] })).toEqual({
      isCorrect: false,
      right: 1,
      total: 2,
      options: [],
      prompts: [{ prompt: 1, isCorrect: true }],
    });
    expect(check(GAPS, { gaps: ['1999', '1998'] })?.right).toBe(0);
    for (const gaps of [[], ['', ' '], ['1998'], ['1998', 'a', 'b']]) expect(check(GAPS, { gaps })).toBeUndefined();
    expect(check(':::quiz{type=gaps}\nA [1]\n\n1. |\n:::', { gaps: ['x'] })?.isCorrect).toBe(false);
  });

  it('reads numbers of any length in reasonable time', () => {
    const started = performance.now();
    for (const piece of ['1', '1,', '1.', ',', '.', '1,111.', ' ', '-']) readNumbers(piece.repeat(50_000));
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

const OPEN = `:::quiz{type=open words=50}
Why do *notices* fail? Think of

- length
- words

- [2] Names **one** SECRET
- \\[1\\] Gives an example

> SECRET answer
:::`;

describe('answers to type with feedback', () => {
  const CAPITAL = `:::quiz{type=text answer=Lutetia}
What is the capital?

- [x] Paris | City of *SECRET*
  > SECRET yes
- [ ] Lyon
  > SECRET second

> SECRET in general
:::`;
  const COUNT = ':::quiz{type=number tolerance=1}\nHow many?\n\n- [x] 42\n  > SECRET\n- [ ] 24\n  > SECRET\n:::';

  it('show neither answers nor feedback', () => {
    expect(html(CAPITAL + '\n\n' + COUNT)).not.toMatch(/SECRET|Paris|Lyon|Lutetia|42|24/);
    expect(markdownToPlainText(CAPITAL, { blocks: LESSON_BLOCKS })).not.toMatch(/SECRET|Paris|Lyon/);
  });

  it.each([
    [CAPITAL, 'paris', true],
    [CAPITAL, 'city of secret', true],
    [CAPITAL, 'Lutetia', true],
    [CAPITAL, 'Lyon', false],
    [COUNT, '٤٣', true],
    [COUNT, '24', false],
    [COUNT, '7', false],
  ])('%s accepts %s: %s', (source, text, isCorrect) => {
    expect(check(source, { text })?.isCorrect).toBe(isCorrect);
  });

  it('give the feedback of the answer that was typed, of a right one first', () => {
    const told = (source: string, text: string) => {
      const [{ quiz, attributes }] = quizzesOf(source) as [ReturnType<typeof quizzesOf>[number]]; // one question
      return typedMatch(quiz, attributes, text)?.text;
    };
    expect(['PARIS', 'lyon', 'Lutetia', ''].map((text) => told(CAPITAL, text))).toEqual([
      'Paris | City of SECRET',
      'Lyon',
      undefined,
      undefined,
    ]);
    expect(told(':::quiz{type=number tolerance=2}\nQ\n\n- [ ] 4\n- [x] 5\n:::', '4')).toBe('5');
  });
});

describe('an open question', () => {
  it('is a text with a limit of words, without criteria and model answer', () => {
    const rendered = html(OPEN);
    expect(rendered).toContain('<textarea name="text" rows="8" maxlength="20000"></textarea>');
    expect(rendered).toContain('At most 50 words.');
    expect(rendered).not.toMatch(/SECRET|Gives/);
    expectSafe(rendered);
  });

  it('has the last list whose items begin with points as its criteria', () => {
    const separate = OPEN.replace('- words\n', '- words\n\nWrite freely.\n');
    const [found] = quizzesOf(separate);
    expect(found?.quiz.criteria.map(({ points, text }) => [points, text[0]?.children?.[0]?.content])).toEqual([
      [2, 'Names '],
      [1, 'Gives an example'],
    ]);
    expect(found?.quiz.more.length).toBeGreaterThan(0);
    const [plain] = quizzesOf(':::quiz{type=open}\nWhy?\n\n> Because\n:::');
    expect([plain?.quiz.criteria, plain?.quiz.feedback.length]).toEqual([[], 5]);
  });

  it('is never checked by the server', () => {
    expect(check(OPEN, { text: 'SECRET answer' })).toBeUndefined();
  });
});
