import type { Locale } from '@officium/contract/common';
import type { ModelClass } from '@officium/contract/translation';
import type { Meter, TranslationEngine, TranslationTask } from './translation.ts';
import { type BatchSize, batchesOf, inParallel } from './batches.ts';
import { translateMarkdown } from './markdown.ts';
import type { TranslateTexts } from './passages.ts';
import { translatePlainText } from './plain-text.ts';
import { translateRichText } from './rich-text.ts';

export type TranslateOptions = {
  source: Locale;
  target: Locale;
  model: ModelClass;
  temperature: number;
  signal: AbortSignal;
  /** Counts tokens against a quota, for providers that charge by the token. */
  meter?: Meter | undefined;
};

/** Translates marked texts (`marked-text.ts`); independent of document formats. */
export type TranslationProvider = {
  batch: BatchSize;
  /** Identifies the provider and model. Cached translations are used only under the same name. */
  nameOf(model: ModelClass): string;
  sourcesOf(target: Locale): Promise<Locale[]>;
  /** Returns one translation per text, in order. Throws on failure. */
  translateTexts(texts: string[], options: TranslateOptions): Promise<string[]>;
};

const TIME_LIMIT_MS = 28_000;

/** Creates an engine that splits documents into passages, protects untranslatable parts and reassembles the result. */
export function createEngine(
  provider: TranslationProvider,
  { timeLimitMs = TIME_LIMIT_MS }: { timeLimitMs?: number } = {},
): TranslationEngine {
  return {
    nameOf: provider.nameOf,
    sourcesOf: provider.sourcesOf,
    async translate(task, meter) {
      const { source, target, model, temperature } = task;
      const ownAbort = new AbortController();
      const signal = AbortSignal.any([ownAbort.signal, AbortSignal.timeout(timeLimitMs)]);
      const options = { source, target, model, temperature, signal, meter };
      const translateTexts: TranslateTexts = async (texts) => {
        const batches = batchesOf(texts, provider.batch);
        const work = async (batch: string[]) => {
          signal.throwIfAborted();
          return await provider.translateTexts(batch, options);
        };
        return (await inParallel(batches, provider.batch.parallel, work)).flat();
      };
      try {
        return await translateDocument(task, translateTexts);
      } finally {
        ownAbort.abort(); // batches still running after one failed
      }
    },
  };
}

async function translateDocument(task: TranslationTask, translateTexts: TranslateTexts): Promise<unknown> {
  if (task.encoding === 'rich-text') return await translateRichText(task.content, translateTexts);
  if (task.encoding === 'markdown') return await translateMarkdown(task.content, translateTexts);
  return await translatePlainText(task.content, translateTexts);
}
