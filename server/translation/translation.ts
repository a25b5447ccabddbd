import type { Locale } from '@officium/contract/common';
import { findRichTextFault, nodesOf, type RichText, type RichTextNode, textOf } from '@officium/contract/rich-text';
import type { ModelClass } from '@officium/contract/translation';
import { AppError } from '#server/errors.ts';
import { structureOf } from './markdown-structure.ts';
import { UnfaithfulAnswer } from './passages.ts';

export type Translatable =
  | { encoding: 'plain-text'; content: string }
  /** Texts that users wrote on this platform. */
  | { encoding: 'markdown'; content: string }
  | { encoding: 'rich-text'; content: RichText };
export type TranslationTask = Translatable & {
  source: Locale;
  target: Locale;
  model: ModelClass;
  temperature: number;
};

/**
 * Reserves tokens before a call and throws when the quota is exhausted. Call the returned function with the tokens
 * used.
 */
export type Meter = (tokens: number) => Promise<(used: number) => Promise<void>>;

/** A translation engine. Its answers are not trusted: `translateWith` checks them. */
export type TranslationEngine = {
  translate(task: TranslationTask, meter?: Meter): Promise<unknown>;
  /** Identifies the provider and model. Cached translations are used only under the same name. */
  nameOf(model: ModelClass): string;
  /** Source languages available for a target language. */
  sourcesOf(target: Locale): Promise<Locale[]>;
};

/** Variants of one language need no translation. */
export const isSameLanguage = (one: Locale, other: Locale) => one.split('-')[0] === other.split('-')[0];

/** The engine does not support this language pair. */
export class NoSuchPair extends Error {}

/** Lists the mentions of a text in a fixed order. A translation must keep all of them. */
function protectedIn(text: string): string {
  return (text.match(/\{\{[0-9a-f-]{36}\}\}/gi) ?? [])
    .map((mention) => mention.toLowerCase())
    .toSorted()
    .join(' ');
}

/** Serialises node types, addresses, marks and which texts are blank, in document order, without the words. */
function skeletonOf(document: RichText): string {
  const structure = nodesOf(document).map(({ nodeType, data, content, value, marks }) => [
    nodeType,
    data?.uri ?? null,
    content?.length ?? 0,
    marks?.map(({ type }) => type).toSorted() ?? [],
    value?.trim() === '',
  ]);
  return JSON.stringify(structure);
}

/** Checks that the answer has the same encoding, structure and mentions as the original. */
export function isFaithful(original: Translatable, answer: unknown): boolean {
  if (original.encoding !== 'rich-text')
    return (
      typeof answer === 'string' &&
      answer.trim() !== '' &&
      protectedIn(answer) === protectedIn(original.content) &&
      (original.encoding === 'plain-text' || structureOf(answer) === structureOf(original.content))
    );
  if (findRichTextFault(answer)) return false;
  const translated = answer as RichText; // checked on the line above
  return (
    skeletonOf(translated) === skeletonOf(original.content) &&
    protectedIn(textOf(translated)) === protectedIn(textOf(original.content))
  );
}

/** Copies the translated words into the original, ignoring anything else the engine changed. */
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
 * Translates a text. Throws 503 without an engine or when it fails, 502 when its answer is unfaithful, and rethrows
 * errors of `meter`.
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
  if (task.encoding !== 'rich-text') return answer as T['content']; // isFaithful checked that it is a string
  return withWords(task.content, answer as RichText) as T['content']; // isFaithful checked that it is a rich text
}
