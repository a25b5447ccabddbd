import { guardFormulas, unguardFormulas } from '@officium/i18n/spreadsheet-formulas';
import { tagsOf } from '#server/text/blocks/quiz-content.ts';
import { cleanLine, cleanMarkdown } from './html-markdown.format.ts';
import { matchingKey, numberKey, openKey, orderingKey, textKey } from './question-key.policy.ts';
import {
  type Note,
  pointsIn,
  type PortableCriterion,
  type PortableGap,
  type PortableItem,
  type PortableOption,
  type PortablePair,
  type PortableQuestion,
  type PortableRemark,
  QuestionCollector,
  type QuestionsRead,
} from './question.policy.ts';

const COLUMNS = [
  'type',
  'name',
  'question',
  'feedback',
  'tags',
  'points',
  'hint',
  'answer',
  'tolerance',
  'case',
  'accents',
  'words',
] as const;
const MAX_OPTIONS = 100;
const NUMBERS = Array.from({ length: MAX_OPTIONS }, (_, at) => at + 1);
const RIGHT = /^(?:x|1|true|yes)$/i;

type Row = { line: number; cells: string[] };

/** Reads a table of questions. Its heading names the columns; texts are Markdown. */
export function readQuestionCsv(file: string, source: string): QuestionsRead {
  const collector = new QuestionCollector(file);
  const [heading, ...rows] = rowsOf(source);
  const columns = new Map<string, number>();
  for (const [at, cell] of (heading?.cells ?? []).entries()) {
    const name = cell.trim().toLowerCase();
    if (!columns.has(name)) columns.set(name, at);
  }
  for (const { line, cells } of rows) {
    if (cells.every((cell) => cell.trim() === '')) continue;
    const of = (name: string) => unguardFormulas(cells[columns.get(name) ?? -1] ?? '').trim();
    const name = of('name').replace(/\s+/g, ' ');
    const size = cells.reduce((sum, cell) => sum + cell.length, 0);
    collector.take({ line, name: name || of('question').slice(0, 60), size }, (note) => readRow(of, name, note));
  }
  return { questions: collector.questions, problems: collector.problems };
}

/** True for a text whose first line names the columns of such a table. */
export function isQuestionCsv(source: string): boolean {
  const [first = ''] = source.split('\n', 1);
  const names = first
    .toLowerCase()
    .split(/[,;\t]/)
    .map((name) => name.replaceAll('"', '').trim());
  return names.includes('type') && names.includes('question');
}

function readRow(of: (name: string) => string, name: string, note: Note): PortableQuestion | undefined {
  const common = {
    name,
    tags: tagsOf(of('tags')),
    points: pointsIn(of('points'), note),
    hint: of('hint').replace(/\s+/g, ' '),
    text: cleanMarkdown(of('question'), note),
  };
  const feedback = cleanMarkdown(of('feedback'), note);
  const type = of('type').toLowerCase();
  const answer = of('answer');
  if (type === 'choice') return { ...common, feedback, type, options: optionsOf(of, note) };
  if (type === 'matching' || type === 'ordering') {
    const key =
      type === 'matching' ? matchingKey(pairsOf(of, note), feedback) : orderingKey(itemsOf(of, note), feedback);
    return { ...common, ...key } as PortableQuestion; // a key of one type
  }
  if (type === 'open') {
    const notes = criteriaOf(of, note);
    return { ...common, feedback, ...openKey({ notes, words: of('words'), points: common.points }, note) };
  }
  if (type === 'true-false') {
    if (!/^(?:true|false)$/i.test(answer)) return void note('no-right-answer');
    return { ...common, feedback, type, answer: /^true$/i.test(answer) };
  }
  if (type === 'number') {
    const remarks = remarksOf(of, note);
    const key = numberKey({ number: answer, tolerance: of('tolerance'), remarks }, feedback, note);
    return key && ({ ...common, ...key } as PortableQuestion); // a key of one type
  }
  const isAccentSensitive = RIGHT.test(of('accents'));
  const isCaseSensitive = RIGHT.test(of('case'));
  if (type === 'gaps') return { ...common, feedback, type, gaps: gapsOf(of, note), isCaseSensitive, isAccentSensitive };
  if (type !== 'text') return void note('type', type);
  const literal = answer.split('|').map((each) => each.replaceAll('*', '\\*'));
  const remarks = remarksOf(of, note).map((remark) => ({ ...remark, answer: remark.answer.replaceAll('*', '\\*') }));
  const key = textKey(literal, { feedback, isCaseSensitive, remarks }, note);
  return key && ({ ...common, ...key, isAccentSensitive } as PortableQuestion); // likewise
}

function optionsOf(of: (name: string) => string, note: Note): PortableOption[] {
  const options: PortableOption[] = [];
  for (let nth = 1; nth <= MAX_OPTIONS; nth++) {
    const text = cleanLine(of(`option ${nth}`), note);
    if (text === '') continue;
    options.push({
      text,
      isRight: RIGHT.test(of(`right ${nth}`)),
      feedback: cleanMarkdown(of(`feedback ${nth}`), note),
    });
  }
  return options;
}

/** The answer to each prompt stands in its column `right`; without a prompt it is an answer to none. */
function pairsOf(of: (name: string) => string, note: Note): PortablePair[] {
  const pairs = NUMBERS.map((nth) => ({
    prompt: cleanLine(of(`option ${nth}`), note),
    answer: cleanLine(of(`right ${nth}`), note),
    feedback: cleanMarkdown(of(`feedback ${nth}`), note),
  }));
  return pairs.filter(({ prompt, answer }) => prompt !== '' || answer !== '');
}

/** The accepted answers of each gap. */
function gapsOf(of: (name: string) => string, note: Note): PortableGap[] {
  const gaps = NUMBERS.map((nth) => ({
    answers: of(`option ${nth}`)
      .split('|')
      .map((each) => each.replace(/\s+/g, ' ').trim()),
    feedback: cleanMarkdown(of(`feedback ${nth}`), note),
  }));
  const filled = gaps.map((gap) => ({ ...gap, answers: [...new Set(gap.answers.filter((each) => each !== ''))] }));
  return filled.slice(0, filled.findLastIndex(({ answers }) => answers.length > 0) + 1);
}

/** Feedback for typed answers stands beside each of them. */
function remarksOf(of: (name: string) => string, note: Note): PortableRemark[] {
  return NUMBERS.flatMap((nth) => {
    const answer = of(`option ${nth}`);
    return answer === '' ? [] : [{ answer, feedback: cleanMarkdown(of(`feedback ${nth}`), note) }];
  });
}

/** The points of each criterion stand in its column `right`. */
function criteriaOf(of: (name: string) => string, note: Note): PortableCriterion[] {
  const criteria = NUMBERS.map((nth) => ({ text: cleanLine(of(`option ${nth}`), note), written: of(`right ${nth}`) }));
  return criteria.flatMap(({ text, written }) => (text === '' ? [] : [{ text, points: pointsIn(written, note) }]));
}

function itemsOf(of: (name: string) => string, note: Note): PortableItem[] {
  return optionsOf(of, note).map(({ text, feedback }) => ({ text, feedback }));
}

/** Writes questions as a table: RFC 4180 in UTF-8, with the byte order mark that Excel expects. */
export function writeQuestionCsv(questions: readonly PortableQuestion[]): string {
  const most = Math.max(0, ...questions.map((question) => optionCells(question).length));
  const numbers = Array.from({ length: most }, (_, at) => at + 1);
  const heading = [...COLUMNS, ...numbers.flatMap((nth) => [`option ${nth}`, `right ${nth}`, `feedback ${nth}`])];
  const rows = [heading, ...questions.map((question) => cellsOf(question, most).map(guarded))];
  return `\uFEFF${rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')}`;
}

function cellsOf(question: PortableQuestion, most: number): string[] {
  const cells = optionCells(question).flat();
  return [
    question.type,
    question.name,
    question.text,
    question.feedback,
    question.tags.join(', '),
    question.points > 1 ? String(question.points) : '',
    question.hint,
    answerOf(question),
    question.type === 'number' ? question.tolerance : '',
    'isCaseSensitive' in question && question.isCaseSensitive ? 'true' : '',
    'isAccentSensitive' in question && question.isAccentSensitive ? 'true' : '',
    question.type === 'open' && question.words !== undefined ? String(question.words) : '',
    ...cells,
    ...Array.from({ length: 3 * most - cells.length }, () => ''),
  ];
}

/** The cells of each option: its text, whether it is right or what matches it, and its feedback. */
function optionCells(question: PortableQuestion): string[][] {
  switch (question.type) {
    case 'choice':
      return question.options.map(({ text, isRight, feedback }) => [text, isRight ? 'x' : '', feedback]);
    case 'matching':
      return [
        ...question.pairs.map(({ prompt, answer, feedback }) => [prompt, answer, feedback]),
        ...question.others.map((answer) => ['', answer, '']),
      ];
    case 'gaps':
      return question.gaps.map(({ answers, feedback }) => [answers.join('|'), '', feedback]);
    case 'ordering':
      return question.items.map(({ text, feedback }) => [text, '', feedback]);
    case 'number':
    case 'text':
      return question.remarks.map(({ answer, feedback }) => [answer, '', feedback]);
    case 'open':
      return question.criteria.map(({ text, points }) => [text, String(points), '']);
    default:
      return [];
  }
}

function answerOf(question: PortableQuestion): string {
  if (question.type === 'text') return question.answers.join('|');
  return 'answer' in question ? String(question.answer) : '';
}

/** A decimal number is no formula. */
const guarded = (text: string) => (/^-?\d+(?:\.\d+)?$/.test(text) ? text : guardFormulas(text));
const quoted = (text: string) => (/[",;\r\n\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Splits a table at the mark that separates its column names. Quoted cells may contain line ends. */
function rowsOf(source: string): Row[] {
  const text = source.replace(/\r\n?/g, '\n');
  const [first = ''] = text.split('\n', 1);
  const mark = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0];
  const rows: Row[] = [];
  let row: Row = { line: 1, cells: [] };
  let [cell, isQuoted, line] = ['', false, 1];
  const endCell = () => {
    row.cells.push(cell);
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\n') line++;
    if (isQuoted && character === '"' && text[at + 1] === '"') cell += text.charAt(at++);
    else if (character === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (!isQuoted && character === mark) endCell();
    else if (!isQuoted && character === '\n') {
      endCell();
      rows.push(row);
      row = { line, cells: [] };
    } else cell += character;
  }
  if (cell !== '' || row.cells.length > 0) {
    endCell();
    rows.push(row);
  }
  return rows;
}
