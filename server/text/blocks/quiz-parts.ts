import type { Token } from 'markdown-it';
import { TASK_MARKS } from '../task-marks.ts';

export type QuizElement = { name: string; tokens: readonly Token[] };

/** Splits a flat list of tokens into its top-level elements. */
export function partsOf(tokens: readonly Token[]): QuizElement[] {
  const parts: QuizElement[] = [];
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
export function markOf(token: Token | undefined): { isDone: boolean } | undefined {
  const text = token?.children?.[0]?.content ?? '';
  if (text.startsWith(TASK_MARKS.done)) return { isDone: true };
  return text.startsWith(TASK_MARKS.open) ? { isDone: false } : undefined;
}

/** The text of a list item, with the elements nested below it. */
export type Item = { text: readonly Token[]; below: QuizElement[]; line: number };

/** Returns the items of a list. The text of an item is its first paragraph, with the mark of a task if it has one. */
export function itemsOf(list: readonly Token[]): Item[] {
  return partsOf(list.slice(1, -1)).map(({ tokens }): Item => {
    const [text, ...below] = partsOf(tokens.slice(1, -1));
    const inline = text?.name === 'paragraph' ? text.tokens.slice(1, -1) : [];
    return { text: inline, below, line: (tokens[0]?.map?.[0] ?? 0) + 1 };
  });
}

/** Copies a text without the mark that a task list gave it. */
export function withoutMark(token: Token): Token {
  const [first, ...others] = token.children ?? [];
  if (token.type !== 'inline' || !first || !markOf(token)) return token;
  const text = copy(first, { content: first.content.slice(1).trimStart() });
  return copy(token, { children: [text, ...others] });
}

const POINTS = /^\[(\d{1,3})\](?:\s+|$)/;

/** Returns the points that begin a criterion of an open question, such as `[2]`. */
export function pointsMarkOf(token: Token | undefined): number | undefined {
  const [, points] = POINTS.exec(token?.children?.[0]?.content ?? '') ?? [];
  return points === undefined ? undefined : Number(points);
}

/** Copies a text without the points that begin it. */
export function withoutPointsMark(token: Token): Token {
  const [first, ...others] = token.children ?? [];
  if (token.type !== 'inline' || !first || pointsMarkOf(token) === undefined) return token;
  const text = copy(first, { content: first.content.replace(POINTS, '') });
  return copy(token, { children: [text, ...others] });
}

function copy(token: Token, changes: Partial<Token>): Token {
  return Object.assign(Object.create(Object.getPrototypeOf(token) as object) as Token, token, changes); // keeps its class
}

/** Returns a text without markup; images leave their alternative text. */
export function plainTextOf(tokens: readonly Token[]): string {
  const written = tokens.map(({ type, content, children }) => {
    if (children && type !== 'image') return plainTextOf(children);
    return type === 'softbreak' || type === 'hardbreak' ? ' ' : type === 'html_inline' ? '' : content;
  });
  return written.join('').replace(/\s+/g, ' ').trim();
}
