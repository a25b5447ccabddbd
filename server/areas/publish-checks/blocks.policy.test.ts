import { expect, it, test } from 'vitest';
import { blocksOf, checkBlocks, quizShapes } from './blocks.policy.ts';
import { compareShapes, shapeOf } from './translation.policy.ts';

function findingsOf(source: string, kind = 'lesson'): string[] {
  const found: string[] = [];
  checkBlocks(source, blocksOf(kind), (rule, severity, { line, text }) =>
    found.push(`${line} ${rule} ${severity} ${text}`),
  );
  return found;
}

const MATCHING = ':::quiz{type=matching}\nWho?\n\n- a\n  - [x] one\n- b\n  - [x] two\n- [ ] three\n:::';
const ORDERING = ':::quiz{type=ordering}\nWhen?\n\n1. a\n2. b\n:::';
const OPEN = ':::quiz{type=open words=20}\nWhy?\n\n- [2] One\n- [1] Two\n\n> Because\n:::';
const GAPS = ':::quiz{type=gaps}\nA [1] and [2].\n\n1. a\n2. b | c\n:::';
const QUIZ = ':::quiz\nWhich?\n\n- [x] this\n- [ ] that\n:::';

test.each([
  [QUIZ, []],
  [':::quiz[Which?]\n- [x] this\n- [ ] that\n:::', []],
  [':::quiz{type=number answer="1,5"}\nWhich?\n:::', []],
  [':::quiz{type=true-false answer=false}\nIs it?\n:::', []],
  [QUIZ.replace('Which?', ''), ['1 quiz-question must :::quiz']],
  [QUIZ.replace('- [ ] that\n', ''), ['1 quiz-options must :::quiz']],
  [QUIZ.replace('[x]', '[ ]'), ['1 quiz-answer must :::quiz']],
  ['a\n\n:::quiz\nWhich?\n:::', ['3 quiz-options must :::quiz', '3 quiz-answer must :::quiz']],
  [':::quiz{type=number answer=many}\nWhich?\n:::', ['1 quiz-answer must :::quiz']],
  [':::quiz{type=text}\nWhich?\n:::', ['1 quiz-answer must :::quiz']],
  [':::quiz{type=text}\nWhich?\n\n- [x] this\n- [ ] that\n:::', []],
  [':::quiz{type=text}\nWhich?\n\n- [ ] that\n:::', ['1 quiz-answer must :::quiz']],
  [':::quiz{type=number}\nWhich?\n\n- [x] 4\n:::', []],
  [':::quiz{type=number}\nWhich?\n\n- [x] four\n:::', ['1 quiz-answer must :::quiz']],
  [':::quiz{type=true-false answer=yes}\nIs it?\n:::', ['1 quiz-answer must :::quiz']],
  [':::quiz{type=other}\nWhich?\n- [x] a\n- [ ] b\n:::', ['1 block-setting should type=other']],
  [MATCHING, []],
  [MATCHING.replace('- b\n  - [x] two\n', ''), ['1 quiz-options must :::quiz']],
  [MATCHING.replace('  - [x] two\n', ''), ['1 quiz-answer must :::quiz']],
  [MATCHING.replace('  - [x] two\n', '  - [x] two\n  - [x] three\n'), ['1 quiz-answer must :::quiz']],
  [MATCHING.replace('[x] two', '[ ] two'), ['1 quiz-answer must :::quiz']],
  [MATCHING.replace('- a', '- a\n  - [x] one\n'.repeat(20) + '- a'), ['1 quiz-size must :::quiz']],
  [GAPS, []],
  [OPEN, []],
  [OPEN.replace('[2]', '[0]'), ['1 quiz-points must :::quiz']],
  [OPEN.replace('[1]', 'no'), ['1 quiz-points must :::quiz']],
  [OPEN.replace('[2]', '[100]'), ['1 quiz-points must :::quiz']],
  [OPEN.replace('type=open', 'type=open points=3'), []],
  [OPEN.replace('type=open', 'type=open points=4'), ['1 block-setting should points=4']],
  [GAPS.replace('[2]', 'it'), ['1 quiz-gaps must :::quiz']],
  [GAPS.replace('[2]', '[1]'), ['1 quiz-gaps must :::quiz']],
  [GAPS.replace('b | c', '\\|'), ['1 quiz-answer must :::quiz']],
  [QUIZ.replace(':::quiz', ':::quiz{points=3}'), []],
  [QUIZ.replace(':::quiz', ':::quiz{points=1.5}'), ['1 block-setting should points=1.5']],
  [ORDERING, []],
  [ORDERING.replace('2. b\n', ''), ['1 quiz-options must :::quiz']],
  [ORDERING.replace('2. b', '2. a'), ['1 quiz-answer must :::quiz']],
  [
    ORDERING.replace('2. b', '2. b\n3. c\n4. d\n'.concat(...Array.from({ length: 17 }, (_, at) => `5. e${at}\n`))),
    ['1 quiz-size must :::quiz'],
  ],
  [':::quiz{type=number answer=42\nWhich?\n:::', ['1 block-unknown must :::quiz']],
  [QUIZ.replace(/\n:::$/, ''), ['1 block-unclosed must quiz']],
  [
    ':::accordion\na\n:::\n\n::::tabs\n:::tab\nb\n:::\n::::',
    ['1 block-title must :::accordion', '6 block-title must :::tab'],
  ],
  [
    '> :::note\n> a\n> :::\n\n::film[x]{src=a.mp4}',
    ['1 block-unknown should :::note', '5 block-unknown should ::film'],
  ],
  ['```\n:::note\n```', []],
  ['a\n\n    :::quiz\n    Which?\n', ['3 block-unknown must :::quiz']],
  ['<div>\n:::quiz{#a}\nWhich?\n</div>', ['2 block-unknown must :::quiz']],
  ['::: quiz\nWhich?\n:::', ['1 block-unknown must ::: quiz']],
])('names what is wrong in %j', (source, expected) => expect(findingsOf(source)).toEqual(expected));

it('names questions outside lessons', () => {
  expect(findingsOf(QUIZ, 'microcourse')).toEqual(['1 block-unknown should :::quiz']);
});

it('names the questions of a translation that differ in number of options or right answers', () => {
  const differences = (translation: string) =>
    compareShapes(shapeOf(`${QUIZ}\n\n${QUIZ}`), shapeOf(translation)).map(
      ({ rule, severity, line, text }) => `${line} ${rule} ${severity} ${text}`,
    );
  expect(quizShapes(QUIZ)).toEqual([{ line: 1, shape: 'choice 2/1', tags: [] }]);
  expect(
    quizShapes(`${MATCHING}\n\n${ORDERING}\n\n${GAPS.replace('}', ' points=3}')}`).map(({ shape }) => shape),
  ).toEqual(['matching 2/3', 'ordering 2/0', 'gaps 2/0 ×3']);
  expect(differences(`${QUIZ}\n\n${QUIZ.replace('Which', 'Welche')}`)).toEqual([]);
  expect(differences(QUIZ)).toEqual(['1 translation-quiz must 2 → 1']);
  expect(differences(`${QUIZ}\n\n${QUIZ.replace('[ ]', '[x]')}`)).toEqual([
    '8 translation-quiz must choice 2/1 → choice 2/2',
  ]);
});
