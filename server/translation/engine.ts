import type { Locale } from '@officium/contract/common';
import type { ModelClass } from '@officium/contract/translation';
import type { Meter, TranslationEngine, TranslationTask } from './translation.ts';
import { type BatchSize, batchesOf, inParallel } from './batches.ts';
import { translateMarkdown } from './markdown.ts';
import type { Say } from './passages.ts';
import { translatePlainText } from './plain-text.ts';
import { translateRichText } from './rich-text.ts';

export type SayOptions = {
  source: Locale;
  target: Locale;
  model: ModelClass;
  temperature: number;
  signal: AbortSignal;
  /** For what is paid for by the token. */
  meter?: Meter | undefined;
};

/** What turns marked texts (`marked-text.ts`) into another language; it knows nothing of documents. */
export type TranslationProvider = {
  batch: BatchSize;
  /** Names what translates, model included: another name makes other translations. */
  nameOf(model: ModelClass): string;
  sourcesOf(target: Locale): Promise<Locale[]>;
  /** As many texts as were given, in their order. Throws when it cannot. */
  say(texts: string[], options: SayOptions): Promise<string[]>;
};

const TIME_LIMIT_MS = 28_000;

/** An engine on a provider: cuts texts into passages, protects what is no language, and puts the words in their places. */
export function createEngine(
  provider: TranslationProvider,
  { timeLimitMs = TIME_LIMIT_MS }: { timeLimitMs?: number } = {},
): TranslationEngine {
  return {
    nameOf: provider.nameOf,
    sourcesOf: provider.sourcesOf,
    async translate(task, meter) {
      const { source, target, model, temperature } = task;
      const given = new AbortController();
      const signal = AbortSignal.any([given.signal, AbortSignal.timeout(timeLimitMs)]);
      const options = { source, target, model, temperature, signal, meter };
      const say: Say = async (texts) => {
        const batches = batchesOf(texts, provider.batch);
        const work = async (batch: string[]) => {
          signal.throwIfAborted();
          return await provider.say(batch, options);
        };
        return (await inParallel(batches, provider.batch.parallel, work)).flat();
      };
      try {
        return await translateDocument(task, say);
      } finally {
        given.abort(); // what is still under way when one batch failed
      }
    },
  };
}

async function translateDocument(task: TranslationTask, say: Say): Promise<unknown> {
  if (task.encoding === 'rich-text') return await translateRichText(task.content, say);
  if (task.encoding === 'markdown') return await translateMarkdown(task.content, say);
  return await translatePlainText(task.content, say);
}
