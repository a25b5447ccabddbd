import { createHash } from 'node:crypto';
import type { Token } from 'markdown-it';
import { escapeHtml } from '../html.ts';
import { TASK_MARKS } from '../task-marks.ts';
import type { BlockType, BlockView, QuizLabels } from './block.ts';

export const QUIZ_TYPES = ['choice', 'true-false', 'number', 'text'] as const;
export type QuizType = (typeof QUIZ_TYPES)[number];

/** Content nested below the text of an option is its feedback. */
export type QuizOption = { text: Token[]; isRight: boolean; feedback: readonly Token[]; line: number };
/** A question with its key. Only the server holds it: pages, search and the assistant get what `render` returns. */
export type Quiz = {
  type: QuizType;
  /** The text of the first paragraph or heading. */
  question: readonly Token[];
  /** Content between the question and the options. */
  more: readonly Token[];
  options: QuizOption[];
  /** Content below the options; for typed answers, the quotation at the end. */
  feedback: readonly Token[];
};

/** `:::quiz` with a question and a task list: `- [x]` marks right answers. */
export const quiz: BlockType = {
  kind: 'container',
  holdsBlocks: false,
  attributes: {
    type: (value) => QUIZ_TYPES.some((type) => type === value),
    answer: (value) => value.trim() !== '',
    tolerance: (value) => /^\d+(?:\.\d+)?$/.test(value),
    case: isFlag,
    accents: isFlag,
  },
  render(view) {
    const { id, options } = view;
    const own = readQuiz(view);
    const name = escapeHtml(`quiz-${id}`);
    const labels = options.quizLabels;
    const hidden = Object.entries({ intent: 'answer', quiz: id, revision: revisionOf(view, own) });
    const fields = hidden.map(([key, value]) => `<input type="hidden" name="${key}" value="${escapeHtml(value)}">`);
    const more = own.more.length === 0 ? '' : `<div class="quiz-more">\n${view.html(own.more)}</div>\n`;
    return (
      `<form class="quiz" id="${name}" method="post" action="#${name}-result">\n${fields.join('')}\n` +
      `<fieldset>\n<legend>${questionOf(view, own)}</legend>\n${more}${answerFields(view, own)}</fieldset>\n` +
      `<div class="quiz-result" id="${name}-result" role="status" tabindex="-1"></div>\n` +
      `${labels ? submit(labels) : ''}</form>`
    );
  },
};

/** Saved pages hide what needs the network and show why. */
function submit({ check, offline }: QuizLabels): string {
  return (
    `<button type="submit" class="needs-network">${escapeHtml(check)}</button>\n` +
    `<div class="quiz-offline saved-only">${escapeHtml(offline)}</div>\n`
  );
}

function isFlag(value: string): boolean {
  return value === 'true' || value === 'false';
}

export function isMultiple({ options }: Quiz): boolean {
  return options.filter(({ isRight }) => isRight).length > 1;
}

/** A short digest of what readers see of a question, so that answers to a former text are recognised. */
export function revisionOf(view: BlockView, own: Quiz): string {
  const seen = [
    own.type,
    questionOf(view, own),
    view.html(own.more),
    ...own.options.map(({ text }) => view.html(text)),
  ];
  return createHash('sha256').update(JSON.stringify(seen)).digest('hex').slice(0, 12);
}

/** The question as safe HTML. */
export function questionOf({ html, label }: BlockView, { question }: Quiz): string {
  return question.length === 0 ? escapeHtml(label) : html(question);
}

function answerFields({ html, options: { quizLabels: labels } }: BlockView, own: Quiz): string {
  if (own.type === 'number' || own.type === 'text') {
    const mode = own.type === 'number' ? ' inputmode="decimal"' : '';
    const label = escapeHtml(labels?.answer ?? '');
    return `<label class="quiz-field">${label} <input type="text" name="text" maxlength="500" autocomplete="off"${mode}></label>\n`;
  }
  const isMany = isMultiple(own);
  const hint = labels ? `<div class="quiz-hint">${escapeHtml(isMany ? labels.many : labels.one)}</div>\n` : '';
  const texts =
    own.type === 'true-false'
      ? [labels?.right ?? '', labels?.wrong ?? ''].map(escapeHtml)
      : own.options.map(({ text }) => html(text));
  const input = `<input type="${isMany ? 'checkbox' : 'radio'}" name="choice"`;
  return (
    hint + texts.map((text, at) => `<label class="quiz-option">${input} value="${at + 1}"> ${text}</label>\n`).join('')
  );
}

/** Reads a question from its content. Nothing that could give an answer away is in `question` and `more`. */
export function readQuiz({ tokens, attributes }: Pick<BlockView, 'tokens' | 'attributes'>): Quiz {
  const type = QUIZ_TYPES.find((each) => each === attributes['type']) ?? 'choice';
  const parts = partsOf(tokens);
  const isChoice = type === 'choice';
  const list = isChoice ? parts.findIndex(isOptionList) : parts.findLastIndex(({ name }) => name === 'blockquote');
  const isFound = isChoice ? list !== -1 : list !== -1 && list === parts.length - 1;
  const end = isFound ? list : parts.length;
  const [first, ...rest] = parts.slice(0, end);
  const isText = first?.name === 'paragraph' || first?.name === 'heading';
  const options = isChoice && isFound ? optionsOf(parts[list]?.tokens ?? []) : [];
  return {
    type,
    question: isText ? first.tokens.slice(1, -1) : [],
    more: (isText || !first ? rest : [first, ...rest]).flatMap((part) => part.tokens.map(withoutMark)),
    options: type === 'true-false' ? trueOrFalse(attributes['answer']) : options,
    feedback: parts.slice(isChoice ? end + 1 : end).flatMap((part) => part.tokens),
  };
}

type Part = { name: string; tokens: readonly Token[] };

/** Splits a flat list of tokens into its top-level elements. */
function partsOf(tokens: readonly Token[]): Part[] {
  const parts: Part[] = [];
  let depth = 0;
  let start = 0;
  for (const [at, { type, nesting }] of tokens.entries()) {
    if (depth === 0) start = at;
    depth += nesting;
    const name = (tokens[start]?.type ?? type).replace(/_open$/, '');
    if (depth === 0) parts.push({ name, tokens: tokens.slice(start, at + 1) });
  }
  return parts;
}

/** Returns the mark of a task that begins a text, and whether it is done. */
function markOf(token: Token | undefined): { isDone: boolean } | undefined {
  const text = token?.children?.[0]?.content ?? '';
  if (text.startsWith(TASK_MARKS.done)) return { isDone: true };
  return text.startsWith(TASK_MARKS.open) ? { isDone: false } : undefined;
}

function isOptionList({ name, tokens }: Part): boolean {
  return /^(?:bullet|ordered)_list$/.test(name) && tokens.some((token) => token.type === 'inline' && markOf(token));
}

function optionsOf(list: readonly Token[]): QuizOption[] {
  return partsOf(list.slice(1, -1)).map(({ tokens }): QuizOption => {
    const [text, ...below] = partsOf(tokens.slice(1, -1));
    const inline = text?.name === 'paragraph' ? text.tokens.slice(1, -1) : [];
    const line = (tokens[0]?.map?.[0] ?? 0) + 1;
    const isRight = markOf(inline[0])?.isDone === true;
    return { text: inline.map(withoutMark), isRight, feedback: below.flatMap((part) => part.tokens), line };
  });
}

function trueOrFalse(answer: string | undefined): QuizOption[] {
  return ['true', 'false'].map((value) => ({ text: [], isRight: answer === value, feedback: [], line: 0 }));
}

/** Copies a text without the mark that a task list gave it. */
function withoutMark(token: Token): Token {
  const [first, ...others] = token.children ?? [];
  if (token.type !== 'inline' || !first || !markOf(token)) return token;
  const text = copy(first, { content: first.content.slice(1).trimStart() });
  return copy(token, { children: [text, ...others] });
}

function copy(token: Token, changes: Partial<Token>): Token {
  return Object.assign(Object.create(Object.getPrototypeOf(token) as object) as Token, token, changes); // keeps its class
}
