import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Messages } from './catalogue.ts';
import type { Locale } from './locales.ts';

/**
 * The preferred word for an idea and the words to avoid. `*` matches any letters, so one entry covers every ending;
 * without it only the whole word matches. `except` lists messages in which the word means something else.
 */
export type Term = { use: string; not: string[]; except?: string[] };

/** The glossary of one language: its form of address, and its terms by id. */
export type Glossary = { address: Term; terms: Record<string, Term> };

/** Read from disk each time. */
export function readGlossary(locale: Locale): Glossary {
  const path = fileURLToPath(new URL(`./glossary/${locale}.json`, import.meta.url));
  return JSON.parse(readFileSync(path, 'utf8')) as Glossary; // written by hand; glossary.test.ts checks its shape
}

/** A message that uses an unwanted word, and the word to use instead. */
export type Variant = { key: string; word: string; use: string };

export function findVariants(messages: Messages, terms: readonly Term[]): Variant[] {
  const shown = Object.entries(messages).map(([key, message]) => ({ key, text: shownOf(message) }));
  return terms.flatMap(({ use, not, except = [] }) =>
    not.flatMap((word) => {
      const pattern = patternOf(word);
      const isUsed = ({ key, text }: Shown) => !except.includes(key) && hasOutside(text, pattern, use);
      return shown.filter(isUsed).map(({ key }) => ({ key, word, use }));
    }),
  );
}

type Shown = { key: string; text: string };

/** Whether the pattern occurs outside the preferred word: フォルダ is part of フォルダー. */
function hasOutside(text: string, pattern: RegExp, use: string): boolean {
  if (!pattern.test(text)) return false;
  const whole = new RegExp(RegExp.escape(use), 'giu');
  const spans = [...text.matchAll(whole)].map(({ index, 0: { length } }) => [index, index + length] as const);
  return [...text.matchAll(new RegExp(pattern, 'giu'))].some(
    ({ index, 0: { length } }) => !spans.some(([from, to]) => from <= index && index + length <= to),
  );
}

/** The visible text of a message, without its tags, arguments and case names. */
function shownOf(message: string): string {
  return message
    .replaceAll(/<\/?\w+>/g, ' ')
    .replaceAll(/\{\s*\w+\s*(?:,\s*(?:number|date|time)[^{}]*)?\}/g, ' ')
    .replaceAll(/\{\s*\w+\s*,\s*(?:plural|select)\s*,/g, ' ')
    .replaceAll(/=?\w+\s*\{/g, ' ');
}

const LETTER = String.raw`[\p{L}\p{M}\p{N}_-]`;

function patternOf(word: string): RegExp {
  const inner = RegExp.escape(word.replaceAll(/^\*|\*$/g, '')).replaceAll(String.raw`\*`, String.raw`\p{L}*`);
  const start = word.startsWith('*') ? '' : `(?<!${LETTER})`;
  const end = word.endsWith('*') ? '' : `(?!${LETTER})`;
  return new RegExp(start + inner + end, 'iu');
}
