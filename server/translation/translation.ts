import type { Locale } from '@officium/contract/common';
import { findRichTextFault, nodesOf, type RichText, type RichTextNode, textOf } from '@officium/contract/rich-text';
import type { ModelClass } from '@officium/contract/translation';
import { AppError } from '#server/errors.ts';
import { bonesOf } from './markdown-bones.ts';
import { UnfaithfulAnswer } from './passages.ts';

export type Translatable =
  | { encoding: 'plain-text'; content: string }
  /** What people wrote here. */
  | { encoding: 'markdown'; content: string }
  | { encoding: 'rich-text'; content: RichText };
export type TranslationTask = Translatable & {
  source: Locale;
  target: Locale;
  model: ModelClass;
  temperature: number;
};

/** Takes tokens before a call, and throws when none are left; what it answers is told how many were used. */
export type Meter = (tokens: number) => Promise<(used: number) => Promise<void>>;

/** Something that translates. What it answers is not trusted: see `translateWith`. */
export type TranslationEngine = {
  translate(task: TranslationTask, meter?: Meter): Promise<unknown>;
  /** What translates with a class of models: what it made stands for as long as that is the same. */
  nameOf(model: ModelClass): string;
  /** The languages it can translate from, into that one. */
  sourcesOf(target: Locale): Promise<Locale[]>;
};

/** Whoever reads the one reads the other: there is nothing to offer. */
export const isSameLanguage = (one: Locale, other: Locale) => one.split('-')[0] === other.split('-')[0];

/** The engine has no way from the one language into the other. */
export class NoSuchPair extends Error {}

/** What a translation must leave as it is: the mentions of a text, in any order. */
function protectedIn(text: string): string {
  return (text.match(/\{\{[0-9a-f-]{36}\}\}/gi) ?? [])
    .map((mention) => mention.toLowerCase())
    .toSorted()
    .join(' ');
}

/** A rich text without what it says: types, data and marks of its nodes in their order, and where it says nothing. */
function skeletonOf(document: RichText): string {
  const bones = nodesOf(document).map(({ nodeType, data, content, value, marks }) => [
    nodeType,
    data?.uri ?? null,
    content?.length ?? 0,
    marks?.map(({ type }) => type).toSorted() ?? [],
    value?.trim() === '',
  ]);
  return JSON.stringify(bones);
}

/** Is the answer a translation of the original: of the same kind and skeleton, with every mention kept? */
export function isFaithful(original: Translatable, answer: unknown): boolean {
  if (original.encoding !== 'rich-text')
    return (
      typeof answer === 'string' &&
      answer.trim() !== '' &&
      protectedIn(answer) === protectedIn(original.content) &&
      (original.encoding === 'plain-text' || bonesOf(answer) === bonesOf(original.content))
    );
  if (findRichTextFault(answer)) return false;
  const translated = answer as RichText; // just found to be one
  return (
    skeletonOf(translated) === skeletonOf(original.content) &&
    protectedIn(textOf(translated)) === protectedIn(textOf(original.content))
  );
}

/** The original with the words of its translation, whatever else an engine left out or put in. */
function withWords(original: RichText, translated: RichText): RichText {
  const words = nodesOf(translated).map(({ value }) => value);
  let at = 0;
  const reword = (node: RichTextNode): RichTextNode => {
    const value = words[at++];
    if (node.value !== undefined) return { ...node, value: value ?? '' };
    return node.content ? { ...node, content: node.content.map(reword) } : node;
  };
  return reword(original) as RichText; // a document like the original
}

/**
 * Translates; 503 without an engine or when it fails, 502 when its answer does not have the form of what it was given.
 * What `meter` refuses with is passed on.
 */
export async function translateWith<T extends TranslationTask>(
  engine: TranslationEngine | undefined,
  task: T,
  meter?: Meter,
): Promise<T['content']> {
  if (!engine) throw new AppError('translation.unavailable', { retryAfterSeconds: 3600 });
  const answer = await engine.translate(task, meter).catch((cause: unknown) => {
    if (cause instanceof AppError) throw cause;
    if (cause instanceof UnfaithfulAnswer) throw new AppError('translation.invalid', undefined, { cause });
    const retryAfterSeconds = cause instanceof NoSuchPair ? 3600 : 30;
    throw new AppError('translation.unavailable', { retryAfterSeconds }, { cause });
  });
  if (!isFaithful(task, answer)) throw new AppError('translation.invalid');
  if (task.encoding !== 'rich-text') return answer as T['content']; // a text, just tested
  return withWords(task.content, answer as RichText) as T['content']; // a rich text, just tested
}
