import type { Locale, LocalizedText } from '@officium/contract/common';
import { DEFAULT_LOCALE } from '@officium/contract/common';
import { isLocale } from '@officium/i18n/locales';
import { walkMarkdown } from '#server/text/markdown-elements.ts';
import { hasContent } from '#server/text/text-content.ts';
import { quizShapes, type QuizShape } from './blocks.policy.ts';
import type { Finding } from './check.policy.ts';

/** The elements that a translation should have in common with its source text. */
export type TextShape = {
  headings: { level: number; line: number }[];
  links: number;
  images: number;
  /** Length in words; characters of Chinese and Japanese count as parts of words. */
  words: number;
  quizzes: QuizShape[];
};

const CHARACTERS_PER_WORD = 2.5;
/** The length of shorter texts is not compared. */
const MIN_WORDS = 60;
const MAX_RATIO = 2;

export function shapeOf(source: string): TextShape {
  const shape: TextShape = { headings: [], links: 0, images: 0, words: 0, quizzes: quizShapes(source) };
  let characters = 0;
  walkMarkdown(source, {
    open({ tag, attributes, line }) {
      if (/^h[1-6]$/.test(tag)) shape.headings.push({ level: Number(tag[1]), line });
      else if (tag === 'a' && attributes['href'] !== undefined) shape.links += 1;
      else if (tag === 'img') shape.images += 1;
    },
    close: () => {},
    text(text) {
      characters += text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0;
      shape.words += text.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0;
    },
  });
  // Without spaces between words, a whole sentence matches as one.
  if (characters > shape.words) shape.words = Math.round(characters / CHARACTERS_PER_WORD);
  return shape;
}

/** Returns what a translation has more or less of than its source text, as `source → translation`. */
export function compareShapes(source: TextShape, translation: TextShape): Finding[] {
  const findings: Finding[] = [];
  const add = (rule: Finding['rule'], line: number, from: number | string, to: number | string) =>
    void findings.push({ rule, severity: 'should', line, text: `${from} → ${to}` });
  const [before, after] = [source.headings, translation.headings];
  const at = after.findIndex(({ level }, index) => level !== before[index]?.level);
  if (before.length !== after.length)
    add('translation-headings', after[at]?.line ?? after.at(-1)?.line ?? 1, before.length, after.length);
  else if (at !== -1) {
    const { level, line } = after[at]!; // found above
    add('translation-headings', line, `h${before[at]?.level}`, `h${level}`);
  }
  if (source.links !== translation.links) add('translation-links', 1, source.links, translation.links);
  if (source.images !== translation.images) add('translation-images', 1, source.images, translation.images);
  findings.push(...compareQuizzes(source.quizzes, translation.quizzes));
  const [short, long] = [source.words, translation.words].sort((a, b) => a - b) as [number, number]; // two numbers
  if (long >= MIN_WORDS && long > short * MAX_RATIO) add('translation-length', 1, source.words, translation.words);
  return findings;
}

/** Names each question whose options or right answers differ in number from those of the source text. */
function compareQuizzes(source: readonly QuizShape[], translation: readonly QuizShape[]): Finding[] {
  const finding = (line: number, from: string | number, to: string | number): Finding => ({
    rule: 'translation-quiz',
    severity: 'must',
    line,
    text: `${from} → ${to}`,
  });
  if (source.length !== translation.length)
    return [finding(translation.at(-1)?.line ?? 1, source.length, translation.length)];
  return translation.flatMap(({ line, shape }, at) => {
    const before = source[at]?.shape ?? '';
    return shape === before ? [] : [finding(line, before, shape)];
  });
}

/** Returns the language with which the others are compared: the chosen one, else English, else the first. */
export function sourceOf(locales: readonly Locale[], chosen?: Locale): Locale | undefined {
  if (chosen && locales.includes(chosen)) return chosen;
  return locales.includes(DEFAULT_LOCALE) ? DEFAULT_LOCALE : locales[0];
}

/** The facts about a text that a comparison with its translation needs. */
export type CheckedTranslation = { shape: TextShape; hasContent: boolean };

/** Compares the translations of a text with its source language, and finds those without content. */
export function checkTranslations(texts: LocalizedText, chosen?: Locale): (Finding & { locale: Locale })[] {
  const checked = Object.entries(texts).flatMap(([locale, text]): [Locale, CheckedTranslation][] =>
    isLocale(locale) ? [[locale, { shape: shapeOf(text), hasContent: hasContent(text) }]] : [],
  );
  return compareTranslations(new Map(checked), chosen);
}

/** Like `checkTranslations`, of texts that are read already. */
export function compareTranslations(
  texts: ReadonlyMap<Locale, CheckedTranslation>,
  chosen?: Locale,
): (Finding & { locale: Locale })[] {
  const filled = [...texts.keys()].filter((locale) => texts.get(locale)?.hasContent);
  const source = sourceOf(filled, chosen);
  const original = source && texts.get(source);
  const findings: (Finding & { locale: Locale })[] = [];
  for (const [locale, { hasContent: isFilled }] of texts)
    if (!isFilled) findings.push({ locale, rule: 'translation-empty', severity: 'should', line: 1, text: '' });
  for (const [locale, { shape, hasContent: isFilled }] of texts)
    if (original && isFilled && locale !== source)
      findings.push(...compareShapes(original.shape, shape).map((finding) => ({ locale, ...finding })));
  return findings;
}
