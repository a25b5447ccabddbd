import { tagsOf } from '#server/text/blocks/quiz-content.ts';
import { matchingKey, numberKey, openKey, orderingKey, type QuestionKey, textKey } from './question-key.policy.ts';
import { type TextFormat, toLine, toMarkdown } from './text-format.format.ts';
import { readCloze } from './moodle-cloze.format.ts';
import { element, elements, type MarkupNode, parseHtml, sizeOf, textIn } from './markup-tree.format.ts';
import {
  type Common,
  type Note,
  pointsIn,
  type PortableQuestion,
  type PortableRemark,
  QuestionCollector,
  type QuestionsRead,
} from './question.policy.ts';

const FORMATS = new Map<string, TextFormat>([
  ['html', 'html'],
  ['markdown', 'markdown'],
  ['plain_text', 'plain'],
  ['moodle_auto_format', 'moodle'],
]);
/** Feedback that Moodle shows by score, which nothing here does. */
const SCORE_FEEDBACK = ['correctfeedback', 'partiallycorrectfeedback', 'incorrectfeedback'];

/** Reads the questions of a Moodle XML file. */
export function readMoodleXml(file: string, root: MarkupNode): QuestionsRead {
  const collector = new QuestionCollector(file);
  let category: string[] = [];
  for (const node of elements(root, 'question')) {
    const type = node.attributes['type'] ?? '';
    if (type === 'category') {
      const path = plainOf(element(node, 'category')).split('/').at(-1) ?? '';
      category = tagsOf(path.replaceAll(',', ' ')).filter((name) => name !== 'top' && !/^\$.*\$$/.test(name));
      continue;
    }
    const name = plainOf(element(node, 'name')).replace(/\s+/g, ' ').trim();
    collector.take({ line: node.line, name, size: sizeOf(node) }, (note) =>
      readOne(node, { type, name, category }, note),
    );
  }
  return { questions: collector.questions, problems: collector.problems };
}

function readOne(
  node: MarkupNode,
  { type, name, category }: { type: string; name: string; category: string[] },
  note: Note,
): PortableQuestion | undefined {
  const read = READERS.get(type);
  if (!read && type !== 'cloze' && type !== 'essay') return void note('type', type);
  if (SCORE_FEEDBACK.some((part) => elements(node, part).some((each) => plainOf(each) !== ''))) note('feedback');
  const own = elements(element(node, 'tags') ?? node, 'tag').flatMap((tag) =>
    tagsOf(plainOf(tag).replaceAll(',', ' ')),
  );
  const tags = [...new Set([...category, ...own])];
  const feedback = markdownOf(element(node, 'generalfeedback'), note);
  const hint = hintOf(node, note);
  const points = pointsIn(plainOf(element(node, 'defaultgrade')), note);
  if (type === 'cloze') return readGaps(node, { name, tags, feedback, points, hint }, note);
  const text = markdownOf(element(node, 'questiontext'), note);
  if (!read) return { name, tags, hint, text, feedback, ...readOpen(node, points, note) };
  const key = read(node, feedback, note);
  return key && ({ name, tags, points, hint, text, ...key } as PortableQuestion); // a key of one type
}

/** The first hint as plain text; Moodle shows further ones after each attempt. */
function hintOf(node: MarkupNode, note: Note): string {
  const [first, ...others] = elements(node, 'hint').filter((each) => plainOf(each) !== '');
  if (others.length > 0) note('feedback');
  if (!first) return '';
  const isHtml = formatOf(first) === 'html' || formatOf(first) === 'moodle';
  return (isHtml ? textIn(parseHtml(plainOf(first))) : plainOf(first)).replace(/\s+/g, ' ').trim();
}

function readGaps(node: MarkupNode, common: Omit<Common, 'text'>, note: Note): PortableQuestion | undefined {
  const question = element(node, 'questiontext');
  const format = question ? formatOf(question) : 'html';
  const toPlain = (text: string) => (format === 'html' || format === 'moodle' ? textIn(parseHtml(text)) : text);
  const read = readCloze(plainOf(question), (text) => toMarkdown(text, format, note), toPlain, note);
  if (!read) return undefined;
  if (new Set(read.weights).size > 1) note('weight', read.weights.join(', '));
  const { text, gaps, isCaseSensitive } = read;
  return { ...common, text, type: 'gaps', gaps, isCaseSensitive, isAccentSensitive: false };
}

type ReadKey = (node: MarkupNode, feedback: string, note: Note) => QuestionKey | undefined;
const READERS = new Map<string, ReadKey>([
  ['multichoice', readChoice],
  ['truefalse', readTruth],
  ['shortanswer', readShort],
  ['numerical', readNumber],
  ['matching', readPairs],
  ['ordering', readOrder],
]);

function readChoice(node: MarkupNode, feedback: string, note: Note): QuestionKey {
  const isSingle = plainOf(element(node, 'single')) !== 'false' && plainOf(element(node, 'single')) !== '0';
  const answers = elements(node, 'answer');
  if (answers.some((answer) => isSingle && fractionOf(answer) > 0 && fractionOf(answer) < 100)) note('partial-credit');
  const options = answers.map((answer) => ({
    text: lineOf(answer, note),
    isRight: isSingle ? fractionOf(answer) === 100 : fractionOf(answer) > 0,
    feedback: markdownOf(element(answer, 'feedback'), note),
  }));
  return { type: 'choice', options, feedback };
}

function readPairs(node: MarkupNode, feedback: string, note: Note): QuestionKey {
  const pairs = elements(node, 'subquestion').map((pair) => {
    const answer = element(pair, 'answer');
    const format = answer?.attributes['format'] === undefined ? 'plain' : formatOf(answer);
    return { prompt: lineOf(pair, note), answer: toLine(plainOf(answer), format, note), feedback: '' };
  });
  return matchingKey(pairs, feedback);
}

function readOrder(node: MarkupNode, feedback: string, note: Note): QuestionKey {
  const answers = elements(node, 'answer');
  if (answers.some(hasFeedback)) note('feedback');
  return orderingKey(
    answers.map((answer) => ({ text: lineOf(answer, note), feedback: '' })),
    feedback,
  );
}

/** The information for graders becomes criteria, which learners do not see before their answer is marked. */
function readOpen(node: MarkupNode, points: number, note: Note) {
  const own = (name: string) => plainOf(element(node, name));
  for (const name of ['minwordlimit', 'attachmentsrequired', 'responsetemplate'])
    if (own(name) !== '' && own(name) !== '0') note('requirement', `${name} ${own(name)}`);
  const notes = markdownOf(element(node, 'graderinfo'), note);
  return openKey({ notes, words: own('maxwordlimit'), points }, note);
}

function readTruth(node: MarkupNode, feedback: string, note: Note): QuestionKey | undefined {
  const answers = elements(node, 'answer');
  const right = answers.find((answer) => fractionOf(answer) === 100);
  if (!right) return void note('no-right-answer');
  if (answers.some(hasFeedback)) note('feedback');
  return { type: 'true-false', answer: plainOf(right).toLowerCase() === 'true', feedback };
}

function readShort(node: MarkupNode, feedback: string, note: Note): QuestionKey | undefined {
  const right = rightAnswers(node, note);
  const isCaseSensitive = plainOf(element(node, 'usecase')) === '1';
  return textKey(right.map(plainOf), { feedback, isCaseSensitive, remarks: remarksOf(node, note) }, note);
}

function readNumber(node: MarkupNode, feedback: string, note: Note): QuestionKey | undefined {
  const right = rightAnswers(node, note);
  const [answer] = right;
  if (!answer) return void note('no-right-answer');
  if (right.length > 1) return void note('several-answers');
  if (elements(element(node, 'units') ?? node, 'unit').length > 0) note('units');
  const tolerance = plainOf(element(answer, 'tolerance'));
  return numberKey({ number: plainOf(answer), tolerance, remarks: remarksOf(node, note) }, feedback, note);
}

function rightAnswers(node: MarkupNode, note: Note): MarkupNode[] {
  const answers = elements(node, 'answer');
  if (answers.some((answer) => fractionOf(answer) > 0 && fractionOf(answer) < 100)) note('partial-credit');
  return answers.filter((answer) => fractionOf(answer) === 100);
}

/** The feedback of right answers, and of wrong ones that authors foresaw. */
function remarksOf(node: MarkupNode, note: Note): PortableRemark[] {
  const answers = elements(node, 'answer').filter(hasFeedback);
  const whole = answers.filter((answer) => fractionOf(answer) === 100 || fractionOf(answer) <= 0);
  if (whole.length < answers.length) note('feedback');
  return whole.map((answer) => ({
    answer: plainOf(answer),
    feedback: markdownOf(element(answer, 'feedback'), note),
  }));
}

const fractionOf = (answer: MarkupNode) => Number(answer.attributes['fraction'] ?? '0');
const hasFeedback = (answer: MarkupNode) => plainOf(element(answer, 'feedback')) !== '';

/** The text inside `<text>`, or directly in the element. */
function plainOf(node: MarkupNode | undefined): string {
  return textIn(element(node, 'text') ?? (node && elements(node).length > 0 ? undefined : node)).trim();
}

const formatOf = (node: MarkupNode) => FORMATS.get(node.attributes['format'] ?? 'html') ?? 'html';

function markdownOf(node: MarkupNode | undefined, note: Note): string {
  return node ? toMarkdown(plainOf(node), formatOf(node), note) : '';
}

function lineOf(node: MarkupNode, note: Note): string {
  return toLine(plainOf(node), formatOf(node), note);
}
