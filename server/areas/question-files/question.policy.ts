import type { QUESTION_PROBLEMS } from '@officium/contract/question-files';
import { MAX_PLACES, MAX_POINTS } from '#server/text/blocks/quiz-content.ts';
import { MarkupError } from './markup-tree.format.ts';

/** A question as files of any format describe it. Texts are Markdown. */
export type Common = { name: string; tags: string[]; points: number; hint: string; text: string; feedback: string };
export type PortableOption = { text: string; isRight: boolean; feedback: string };
/** Texts of one paragraph. */
export type PortablePair = { prompt: string; answer: string; feedback: string };
export type PortableItem = { text: string; feedback: string };
/** Plain texts. */
/** `points` is a whole number. */
export type PortableCriterion = { text: string; points: number };
/** Feedback for an answer to type, which may be a wrong one. */
export type PortableRemark = { answer: string; feedback: string };
export type PortableGap = { answers: string[]; feedback: string };
export type PortableQuestion = Common &
  (
    | { type: 'choice'; options: PortableOption[] }
    | { type: 'true-false'; answer: boolean }
    /** `others` are answers that match no prompt. */
    | { type: 'matching'; pairs: PortablePair[]; others: string[] }
    /** Items in their right order. */
    | { type: 'ordering'; items: PortableItem[] }
    /** The text has the gaps as `[1]`, `[2]` … */
    | { type: 'gaps'; gaps: PortableGap[]; isCaseSensitive: boolean; isAccentSensitive: boolean }
    /** Decimal numbers as `decimalOf` writes them. */
    | { type: 'number'; answer: string; tolerance: string; remarks: PortableRemark[] }
    | {
        type: 'text';
        answers: string[];
        remarks: PortableRemark[];
        isCaseSensitive: boolean;
        isAccentSensitive: boolean;
      }
    /** A person marks it. The points of its criteria together are its points; its feedback is a model answer. */
    | { type: 'open'; criteria: PortableCriterion[]; words: number | undefined }
  );

/** Whether a reason leaves a question out or changes a part of it. */
export const PROBLEM_EFFECTS = {
  type: 'left-out',
  syntax: 'left-out',
  'no-right-answer': 'left-out',
  'few-options': 'left-out',
  number: 'left-out',
  'several-answers': 'left-out',
  inexpressible: 'left-out',
  duplicate: 'left-out',
  room: 'left-out',
  picture: 'changed',
  weight: 'changed',
  'partial-credit': 'changed',
  pattern: 'changed',
  feedback: 'changed',
  units: 'changed',
  requirement: 'changed',
  file: 'changed',
} as const satisfies Record<ProblemReason, 'left-out' | 'changed'>;
export type ProblemReason = (typeof QUESTION_PROBLEMS)[number];
/** `detail` names the type, the picture or the text that the reason is about. */
export type FileProblem = { file: string; line: number; question: string; reason: ProblemReason; detail: string };

export type ReadQuestion = { question: PortableQuestion; file: string; line: number };
export type QuestionsRead = { questions: ReadQuestion[]; problems: FileProblem[] };

/** Notes a problem of the question at hand. */
export type Note = (reason: ProblemReason, detail?: string) => void;

const MAX_DETAIL = 200;
/** More than a lesson has room for. Others are named unread, so that a file does not keep a process busy. */
const MAX_READ = 5_000;
const MAX_QUESTION_CHARACTERS = 128 * 1024;
const MAX_OPTIONS = 100;
/** The tags of a question stand on its first line, which no longer one is read as. */
const MAX_TAG_CHARACTERS = 4_000;
/** Well above what a file with as many questions as a lesson has room for takes. Questions that are left are named unread. */
const MAX_READ_MS = 5_000;

/** The end of the time to read a file that is begun now. */
export function readDeadline(): number {
  return performance.now() + MAX_READ_MS;
}

/** Collects the questions and problems of one file. `read` returns undefined for a question that it noted as left out. */
export class QuestionCollector {
  readonly questions: ReadQuestion[] = [];
  readonly problems: FileProblem[] = [];
  readonly #file: string;
  readonly #deadline: number;

  constructor(file: string, deadline = readDeadline()) {
    this.#file = file;
    this.#deadline = deadline;
  }

  /** `size` is the number of characters that the file has for the question. */
  take(at: { line: number; name: string; size: number }, read: (note: Note) => PortableQuestion | undefined): void {
    const name = at.name.replace(/\s+/g, ' ').trim().slice(0, MAX_DETAIL);
    const notes: FileProblem[] = [];
    const note: Note = (reason, detail = '') =>
      void notes.push({ file: this.#file, line: at.line, question: name, reason, detail: detail.slice(0, MAX_DETAIL) });
    const hasRoom = at.size <= MAX_QUESTION_CHARACTERS && this.questions.length < MAX_READ;
    const isRead = hasRoom && performance.now() < this.#deadline;
    if (!isRead) note('room');
    const question = isRead ? readSafely(read, note) : undefined;
    const fault = question && faultOf(question);
    if (fault) note(fault);
    const isLeftOut = notes.filter(({ reason }) => PROBLEM_EFFECTS[reason] === 'left-out');
    // Changes of a question that is not taken are of no interest.
    this.problems.push(...(isLeftOut.length > 0 ? isLeftOut.slice(0, 1) : notes));
    if (question && isLeftOut.length === 0) this.questions.push({ question, file: this.#file, line: at.line });
  }
}

/** HTML inside a question may nest too deep to be read. */
function readSafely(read: (note: Note) => PortableQuestion | undefined, note: Note): PortableQuestion | undefined {
  try {
    return read(note);
  } catch (error) {
    if (error instanceof MarkupError) return void note('syntax', error.message);
    throw error;
  }
}

function faultOf(question: PortableQuestion): ProblemReason | undefined {
  if (question.tags.reduce((sum, tag) => sum + tag.length, 0) > MAX_TAG_CHARACTERS) return 'inexpressible';
  if (question.type === 'text') return question.answers.length === 0 ? 'no-right-answer' : undefined;
  if (question.type === 'matching') return matchingFault(question);
  if (question.type === 'gaps') return gapsFault(question);
  if (question.type === 'ordering') return orderingFault(question.items.map(({ text }) => text));
  if (question.type === 'open') return criteriaFault(question);
  if (question.type !== 'choice') return undefined;
  if (question.options.length < 2) return 'few-options';
  if (question.options.length > MAX_OPTIONS) return 'inexpressible';
  // Such as an option that was a picture.
  if (question.options.some(({ text }) => text === '')) return 'inexpressible';
  return question.options.some(({ isRight }) => isRight) ? undefined : 'no-right-answer';
}

function matchingFault({ pairs, others }: { pairs: PortablePair[]; others: string[] }): ProblemReason | undefined {
  if (pairs.length < 2) return 'few-options';
  const answers = new Set([...pairs.map(({ answer }) => answer), ...others]);
  if (pairs.length > MAX_PLACES || answers.size < 2 || answers.size > MAX_PLACES) return 'inexpressible';
  return answers.has('') || pairs.some(({ prompt }) => prompt === '') ? 'inexpressible' : undefined;
}

function gapsFault({ gaps }: { gaps: PortableGap[] }): ProblemReason | undefined {
  if (gaps.length > MAX_PLACES) return 'inexpressible';
  return gaps.length === 0 || gaps.some(({ answers }) => answers.length === 0) ? 'no-right-answer' : undefined;
}

function criteriaFault({ criteria, points }: { criteria: PortableCriterion[]; points: number }) {
  const isWhole = criteria.every((each) => each.text !== '' && each.points >= 1);
  return isWhole && criteria.length <= MAX_PLACES && points <= MAX_POINTS ? undefined : 'inexpressible';
}

function orderingFault(items: readonly string[]): ProblemReason | undefined {
  if (items.length < 2) return 'few-options';
  const isClear = new Set(items).size === items.length && !items.includes('');
  return isClear && items.length <= MAX_PLACES ? undefined : 'inexpressible';
}

/** Whole points from 1 to 100; others are noted and count as 1. */
export function pointsIn(written: string, note: Note): number {
  if (written.trim() === '') return 1;
  const points = Number(written);
  if (Number.isInteger(points) && points >= 1 && points <= 100) return points;
  note('weight', written);
  return 1;
}

const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{0,30})?|\.\d{1,30})(?:e[+-]?\d{1,2})?$/i;

/** Writes a number without an exponent. Undefined for what is no number or has too many digits. */
export function decimalOf(text: string): string | undefined {
  const written = text.trim().replace(/^([+-]?\d+),(\d+)$/, '$1.$2');
  const value = NUMBER.test(written) ? Number(written) : NaN;
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return undefined;
  const short = String(value);
  const decimal = short.includes('e') ? value.toFixed(12).replace(/0+$/, '') : short;
  return Number(decimal) === value ? decimal : undefined;
}
