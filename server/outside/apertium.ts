import { z } from 'zod';
import type { TranslateOptions, TranslationProvider } from '../translation/engine.ts';
import { UnfaithfulAnswer } from '../translation/passages.ts';
import { type Pair, routeOf, sourcesFor, toApertium } from './apertium-languages.ts';
import { createCircuit } from './circuit.ts';
import { BadAnswer, fetchJson } from './json-fetch.ts';
import { NoSuchPair } from '#server/translation/translation.ts';

const PAIRS_GOOD_FOR_MS = 5 * 60_000;
const PAIRS_TIME_LIMIT_MS = 5_000;
const PATIENCE_MS = 300;
const PAUSE_MS = 30_000;
const MAX_PAIRS_BYTES = 1024 * 1024;
const MAX_ANSWER_BYTES = 512 * 1024;

const PairList = z.object({
  responseData: z
    .array(z.object({ sourceLanguage: z.string().max(40), targetLanguage: z.string().max(40) }))
    .max(5_000),
});
const Translated = z.object({ responseData: z.object({ translatedText: z.string() }) });

type Options = {
  pairsGoodForMs?: number;
  pairsTimeLimitMs?: number;
  patienceMs?: number;
  breakAfter?: number;
  pauseMs?: number;
};

/** Translates with a self-hosted Apertium server: https://wiki.apertium.org/wiki/Apertium-apy */
export function openApertium(address: string, options: Options = {}): TranslationProvider {
  const base = address.endsWith('/') ? address : `${address}/`;
  const guarded = guard(options);
  const pairs = createPairs(async () => await guarded(async () => await listPairs(base, options)), options);
  return {
    batch: { characters: 4_000, texts: 60, parallel: 2 },
    nameOf: () => 'apertium',
    sourcesOf: async (target) => sourcesFor(await pairs.offered(), target),
    async translateTexts(texts, { source, target, signal }) {
      const route = routeOf(await pairs.wanted(), source, target);
      if (!route) throw new NoSuchPair(`no route from ${source} to ${target}`);
      let translated = texts.map((text) => toApertium(text, source));
      for (const pair of route) translated = await guarded(async () => await step(base, pair, translated, signal));
      return translated;
    },
  };
}

/** Opens a circuit after several failures in a row. A bad translation is not such a failure. */
function guard({ breakAfter = 5, pauseMs = PAUSE_MS }: Options) {
  const circuit = createCircuit({ failures: breakAfter, pauseMs, now: () => performance.now() });
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (!circuit.admits()) throw new BadAnswer('not asked: it failed too often just now');
    try {
      const result = await work();
      circuit.succeeded();
      return result;
    } catch (error) {
      if (error instanceof UnfaithfulAnswer) circuit.succeeded();
      else circuit.failed();
      throw error;
    }
  };
}

type Pairs = {
  /** Waits for the server's answer when nothing is cached. */
  wanted(): Promise<Pair[]>;
  /** Waits briefly at most, because pages use it only to decide what to offer. */
  offered(): Promise<Pair[]>;
};

/** Caches the server's language pairs for some minutes and serves the stale list during a refresh. */
function createPairs(ask: () => Promise<Pair[]>, options: Options): Pairs {
  const { pairsGoodForMs = PAIRS_GOOD_FOR_MS, patienceMs = PATIENCE_MS, pauseMs = PAUSE_MS } = options;
  let known: Pair[] | undefined;
  let askAgainAt = 0;
  let asking: Promise<Pair[]> | undefined;
  const refresh = (): Promise<Pair[]> =>
    (asking ??= ask()
      .then((pairs) => {
        askAgainAt = performance.now() + pairsGoodForMs;
        return (known = pairs);
      })
      .catch((error: unknown) => {
        askAgainAt = performance.now() + pauseMs;
        throw error;
      })
      .finally(() => (asking = undefined)));
  /** Returns the cached pairs and starts a refresh when they are stale. */
  const remembered = (): Pair[] | undefined => {
    if (known && performance.now() >= askAgainAt) refresh().catch(() => {}); // the stale pairs stay in use
    return known;
  };
  return {
    wanted: async () => remembered() ?? (await refresh()),
    async offered() {
      const pairs = remembered();
      if (pairs) return pairs;
      if (!asking && performance.now() < askAgainAt) return [];
      const patience = AbortSignal.timeout(patienceMs);
      const moment = new Promise<Pair[]>((resolve) => patience.addEventListener('abort', () => resolve([])));
      return await Promise.race([refresh(), moment]);
    },
  };
}

async function listPairs(base: string, { pairsTimeLimitMs = PAIRS_TIME_LIMIT_MS }: Options): Promise<Pair[]> {
  const signal = AbortSignal.timeout(pairsTimeLimitMs);
  const answer = PairList.safeParse(await fetchJson(new URL('listPairs', base), { signal, maxBytes: MAX_PAIRS_BYTES }));
  if (!answer.success) throw new BadAnswer('invalid list of language pairs');
  return answer.data.responseData.map(({ sourceLanguage, targetLanguage }) => ({
    source: sourceLanguage,
    target: targetLanguage,
  }));
}

/** Separates texts by `<p>`: Apertium keeps tags in place and starts a new sentence after them. */
async function step(base: string, pair: Pair, texts: string[], signal: TranslateOptions['signal']): Promise<string[]> {
  const form = {
    langpair: `${pair.source}|${pair.target}`,
    q: texts.map((text) => `<p>${text}</p>`).join('\n'),
    format: 'html',
    markUnknown: 'no',
  };
  const answer = Translated.safeParse(
    await fetchJson(new URL('translate', base), { signal, maxBytes: MAX_ANSWER_BYTES, form }),
  );
  if (!answer.success) throw new BadAnswer('translated text missing');
  const translated = [...answer.data.responseData.translatedText.matchAll(/<p>([\s\S]*?)<\/p>/g)].map(
    ([, text = '']) => text,
  );
  if (translated.length !== texts.length) throw new UnfaithfulAnswer('number of paragraphs changed');
  return translated.map(withoutMarkers);
}

/**
 * Markers of Apertium before a word: unknown (`*`), untranslated (`@`), not inflected (`#`). Our handles and hashtags
 * are atoms.
 */
const MARKER = /(?<![\p{L}\p{N}])[*@#](?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])#(?![\p{L}\p{N}])/gu;
/** A text with a larger share of failure markers counts as not translated. */
const MAX_MARKER_SHARE = 0.2;

function withoutMarkers(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const failures = text.match(/(?<![\p{L}\p{N}&])[@#](?=\p{L})/gu)?.length ?? 0;
  if (failures > 2 && failures > words * MAX_MARKER_SHARE) throw new UnfaithfulAnswer('most words were not translated');
  return text
    .replace(MARKER, '')
    .replace(/ {2,}/g, ' ')
    .replace(/ (<g [^>]*>) /g, ' $1')
    .replace(/ (<\/g>) /g, '$1 ')
    .trim();
}
