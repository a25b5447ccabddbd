import { createHash } from 'node:crypto';
import type { Token } from 'markdown-it';
import type { BlockView } from './block.ts';
import {
  type Item,
  itemsOf,
  markOf,
  partsOf,
  plainTextOf,
  pointsMarkOf,
  type QuizElement,
  withoutMark,
  withoutPointsMark,
} from './quiz-parts.ts';

export const QUIZ_TYPES = ['choice', 'true-false', 'number', 'text', 'matching', 'ordering', 'gaps', 'open'] as const;
export type QuizType = (typeof QUIZ_TYPES)[number];
/** Prompts, answers, items, gaps and criteria that a question may have. */
export const MAX_PLACES = 20;

/** Content nested below the text of an option is its feedback. */
export type QuizOption = { text: Token[]; isRight: boolean; feedback: readonly Token[]; line: number };
export type QuizPrompt = Pick<QuizOption, 'text' | 'feedback' | 'line'>;
/** Answers to type, separated by `|`, with the feedback for those who give one of them. */
export type QuizTyped = { text: string; isRight: boolean; feedback: readonly Token[] };
/** A criterion that an open answer is marked by. 0 points: the text gives none, or too many. */
export type QuizCriterion = { text: Token[]; points: number };
/** A question with its key. Only the server holds it: pages, search and the assistant get what `render` returns. */
export type Quiz = {
  type: QuizType;
  /** The text of the first paragraph or heading. */
  question: readonly Token[];
  /** Content between the question and the options. */
  more: readonly Token[];
  /** The order tells nothing about the key: as written for a choice, else by a digest of their texts. */
  options: QuizOption[];
  /** The texts to match with an option. */
  prompts: QuizPrompt[];
  /** Matching: for each prompt, the number of its option, 0 without a clear one. Ordering: for each option, its position. */
  places: number[];
  /** Answers to type that the text lists: marked ones are accepted, beside those of the setting `answer`. */
  typed: QuizTyped[];
  /** The accepted answers of each gap, which the text has as `[1]`, `[2]` …; its feedback is that of the prompt. */
  gaps: string[];
  /** The criteria of an open question; empty if it is marked as a whole. */
  criteria: QuizCriterion[];
  /** It has more prompts, answers, items, gaps or criteria than `MAX_PLACES`; the others are left out. */
  isCut: boolean;
  /** Content below the options; for typed answers, the quotation at the end. For an open question it is a model answer. */
  feedback: readonly Token[];
};

export function isMultiple({ options, type }: Pick<Quiz, 'options' | 'type'>): boolean {
  return type === 'choice' && options.filter(({ isRight }) => isRight).length > 1;
}

/** Splits tags at commas, each once. */
export function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.replace(/\s+/g, ' ').trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

export function typeOf({ type = 'choice' }: Readonly<Record<string, string>>): QuizType | undefined {
  return QUIZ_TYPES.find((each) => each === type);
}

/** Reads a question from its content. Nothing that could give an answer away is in `question` and `more`. */
export function readQuiz({ tokens, attributes }: Pick<BlockView, 'tokens' | 'attributes'>): Quiz {
  const known = typeOf(attributes);
  const type = known ?? 'choice';
  const parts = partsOf(tokens);
  const at = keyAt(type, parts);
  const [first, ...rest] = parts.slice(0, at ?? parts.length);
  const isText = first?.name === 'paragraph' || first?.name === 'heading';
  const more = isText || !first ? rest : [first, ...rest];
  const hasList = at !== undefined && parts[at]?.name !== 'blockquote';
  const common = {
    question: isText ? first.tokens.slice(1, -1) : [],
    // Content of a question of an unknown type may be its key.
    more: (known ? more : []).flatMap((part) => part.tokens.map(withoutMark)),
    feedback: (at === undefined ? [] : parts.slice(hasList ? at + 1 : at)).flatMap((part) => part.tokens),
  };
  const list = itemsOf((hasList ? parts[at]?.tokens : undefined) ?? []);
  return { ...common, ...optionsOf(type, list, attributes) };
}

/** The place of the element with the key: the options, else the quotation at the end. */
function keyAt(type: QuizType, parts: readonly QuizElement[]): number | undefined {
  // A list without marks or numbers is a key that was written wrongly.
  if (type === 'matching' || type === 'ordering' || type === 'gaps') return found(parts.findLastIndex(isList));
  if (type === 'choice') return found(parts.findIndex(isOptionList));
  const typed = isTyped(type) ? parts.findLastIndex(isOptionList) : -1;
  if (typed !== -1) return typed;
  const criteria = type === 'open' ? parts.findLastIndex(isCriteriaList) : -1;
  if (criteria !== -1) return criteria;
  return parts.at(-1)?.name === 'blockquote' ? parts.length - 1 : undefined;
}

const isTyped = (type: QuizType) => type === 'number' || type === 'text';
const found = (at: number) => (at === -1 ? undefined : at);
const isList = ({ name }: QuizElement) => /^(?:bullet|ordered)_list$/.test(name);

function isOptionList(part: QuizElement): boolean {
  return isList(part) && part.tokens.some((token) => token.type === 'inline' && markOf(token));
}

/** A list in which some item begins with points, such as `[2]`. */
function isCriteriaList(part: QuizElement): boolean {
  return isList(part) && itemsOf(part.tokens).some(({ text }) => pointsMarkOf(text[0]) !== undefined);
}

type Options = Pick<Quiz, 'type' | 'options' | 'prompts' | 'places' | 'gaps' | 'typed' | 'criteria' | 'isCut'>;

function optionsOf(type: QuizType, list: readonly Item[], attributes: Readonly<Record<string, string>>): Options {
  const none = { options: [], prompts: [], places: [], gaps: [], typed: [], criteria: [], isCut: false };
  if (type === 'choice') return { ...none, type, options: list.map(toOption) };
  if (type === 'true-false') return { ...none, type, options: trueOrFalse(attributes['answer']) };
  if (type === 'matching') return { ...none, type, ...matchesOf(list) };
  if (type === 'ordering') return { ...none, type, ...orderOf(list) };
  if (type === 'gaps') return { ...none, type, ...gapsOf(list) };
  if (type === 'open') return { ...none, type, ...criteriaOf(list) };
  return { ...none, type, typed: isTyped(type) ? list.map(toTyped) : [] };
}

function toTyped(item: Item): QuizTyped {
  const { text, isRight, feedback } = toOption(item);
  return { text: plainTextOf(text), isRight, feedback };
}

/** The settings that an answer is compared by: with the accepted answers that the text lists. */
export function keyOf(
  { typed }: Pick<Quiz, 'typed'>,
  attributes: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const right = typed.flatMap(({ text, isRight }) => (isRight && text !== '' ? [text] : []));
  if (right.length === 0) return attributes;
  return { ...attributes, answer: [attributes['answer'] ?? '', ...right].filter((each) => each !== '').join(' | ') };
}

const below = (parts: readonly QuizElement[]) => parts.flatMap((part) => part.tokens);

function toOption(item: Item): QuizOption {
  const isRight = markOf(item.text[0])?.isDone === true;
  return { text: item.text.map(withoutMark), isRight, feedback: below(item.below), line: item.line };
}

function trueOrFalse(answer: string | undefined): QuizOption[] {
  return ['true', 'false'].map((value) => ({ text: [], isRight: answer === value, feedback: [], line: 0 }));
}

const answerTo = ({ text, line }: Pick<Item, 'text' | 'line'>): QuizOption => ({
  text: text.map(withoutMark),
  isRight: false,
  feedback: [],
  line,
});

/** A prompt has its answer nested below it, marked as done. A marked item beside the prompts is an answer to none of them. */
function matchesOf(list: readonly Item[]): Pick<Options, 'options' | 'prompts' | 'places' | 'isCut'> {
  const prompts = list.filter(({ text }) => !markOf(text[0]));
  const own = prompts.map(({ below: [first] }) => {
    const nested = first && isList(first) ? itemsOf(first.tokens) : [];
    const [only] = nested;
    return only && nested.length === 1 && markOf(only.text[0])?.isDone ? answerTo(only) : undefined;
  });
  const others = list.filter(({ text }) => markOf(text[0])).map(answerTo);
  const all = shuffledByDigest([...own.slice(0, MAX_PLACES), ...others].filter((answer) => answer !== undefined));
  const different = new Map(all.map((answer) => [textOf(answer), answer]));
  const options = [...different.values()].slice(0, MAX_PLACES);
  const numbers = new Map(options.map((answer, at) => [textOf(answer), at + 1]));
  const kept = prompts.slice(0, MAX_PLACES).map(({ text, below: parts, line }) => ({
    text: [...text],
    feedback: below(parts.filter((part, at) => at > 0 || !isList(part))),
    line,
  }));
  return {
    options,
    prompts: kept,
    places: kept.map((_, at) => numbers.get(own[at] ? textOf(own[at]) : '') ?? 0),
    isCut: prompts.length > MAX_PLACES || different.size > MAX_PLACES,
  };
}

/** The items of the list stand in their right order. */
function orderOf(list: readonly Item[]): Pick<Options, 'options' | 'places' | 'isCut'> {
  const written = list.slice(0, MAX_PLACES).map(toOption);
  const options = shuffledByDigest(written).map((option) => ({ ...option, isRight: false }));
  const lines = written.map(({ line }) => line);
  const places = options.map(({ line }) => lines.indexOf(line) + 1);
  return { options, places, isCut: list.length > MAX_PLACES };
}

function gapsOf(list: readonly Item[]): Pick<Options, 'gaps' | 'prompts' | 'isCut'> {
  const kept = list.slice(0, MAX_PLACES);
  return {
    gaps: kept.map(({ text }) => plainTextOf(text.map(withoutMark))),
    prompts: kept.map(({ below: parts, line }) => ({ text: [], feedback: below(parts), line })),
    isCut: list.length > MAX_PLACES,
  };
}

function criteriaOf(list: readonly Item[]): Pick<Options, 'criteria' | 'isCut'> {
  const criteria = list.slice(0, MAX_PLACES).map(({ text }) => ({
    text: text.map(withoutPointsMark),
    points: pointsMarkOf(text[0]) ?? 0,
  }));
  return { criteria, isCut: list.length > MAX_PLACES };
}

/** The numbers of the gaps in the text of a question, as often as they stand there. */
export function gapsIn({ question, more }: Pick<Quiz, 'question' | 'more'>): number[] {
  const texts = [question, more].map((tokens) => plainTextOf(tokens)).join(' ');
  return [...texts.matchAll(/\[(\d{1,2})\]/g)].map(([, number]) => Number(number));
}

/** Every gap stands in the text once. */
export function hasAllGaps(quiz: Quiz): boolean {
  const numbers = gapsIn(quiz).toSorted((a, b) => a - b);
  return numbers.length === quiz.gaps.length && numbers.every((number, at) => number === at + 1);
}

/** Points that a question may have. */
export const MAX_POINTS = 100;

/** The points of a question in an assessment: those of its criteria together, if it has some. */
export function pointsOf(
  { criteria }: Pick<Quiz, 'criteria'>,
  { points = '1' }: Readonly<Record<string, string>>,
): number {
  return criteria.length === 0 ? Number(points) : criteria.reduce((sum, criterion) => sum + criterion.points, 0);
}

/** The most words that an open answer should have. */
export function wordsOf({ words }: Readonly<Record<string, string>>): number | undefined {
  return words === undefined ? undefined : Number(words);
}

/** The source of an option, which tells it from others. */
export function textOf({ text }: Pick<QuizOption, 'text'>): string {
  return text.map(({ content }) => content.replace(/^\[[ xX]\]\s+/, '').trim()).join(' ');
}

/** The order is the same for each reader, so that an answer without script finds it again, and independent of the key. */
function shuffledByDigest(options: readonly QuizOption[]): QuizOption[] {
  const digestOf = (option: QuizOption) => createHash('sha256').update(textOf(option)).digest('hex');
  return options
    .map((option) => ({ option, digest: digestOf(option) }))
    .toSorted((one, other) => (one.digest < other.digest ? -1 : one.digest > other.digest ? 1 : 0))
    .map(({ option }) => option);
}
