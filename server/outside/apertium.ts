import { z } from 'zod';
import type { SayOptions, TranslationProvider } from '../translation/engine.ts';
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

/** Translates with an Apertium server of the installation's own: https://wiki.apertium.org/wiki/Apertium-apy */
export function openApertium(address: string, options: Options = {}): TranslationProvider {
  const base = address.endsWith('/') ? address : `${address}/`;
  const guarded = guard(options);
  const pairs = createPairs(async () => await guarded(async () => await listPairs(base, options)), options);
  return {
    batch: { characters: 4_000, texts: 60, parallel: 2 },
    nameOf: () => 'apertium',
    sourcesOf: async (target) => sourcesFor(await pairs.offered(), target),
    async say(texts, { source, target, signal }) {
      const route = routeOf(await pairs.wanted(), source, target);
      if (!route) throw new NoSuchPair(`no way from ${source} to ${target}`);
      let said = texts.map((text) => toApertium(text, source));
      for (const pair of route) said = await guarded(async () => await step(base, pair, said, signal));
      return said;
    },
  };
}

/** Leaves a server alone for a while that failed several times in a row. What it answered badly is no failure of this kind. */
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
  /** Waits for the answer when none is known. */
  wanted(): Promise<Pair[]>;
  /** Waits a moment at most: pages ask this only to know what to offer. */
  offered(): Promise<Pair[]>;
};

/** Which pairs it has, asked again after some minutes; until there is an answer, what was known before counts. */
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
  /** What is known; asks beside that when it is old. */
  const remembered = (): Pair[] | undefined => {
    if (known && performance.now() >= askAgainAt) refresh().catch(() => {}); // the former ones count
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
  if (!answer.success) throw new BadAnswer('no list of pairs');
  return answer.data.responseData.map(({ sourceLanguage, targetLanguage }) => ({
    source: sourceLanguage,
    target: targetLanguage,
  }));
}

/** Paragraphs keep texts apart: Apertium leaves tags where they are and begins a sentence after them. */
async function step(base: string, pair: Pair, texts: string[], signal: SayOptions['signal']): Promise<string[]> {
  const form = {
    langpair: `${pair.source}|${pair.target}`,
    q: texts.map((text) => `<p>${text}</p>`).join('\n'),
    format: 'html',
    markUnknown: 'no',
  };
  const answer = Translated.safeParse(
    await fetchJson(new URL('translate', base), { signal, maxBytes: MAX_ANSWER_BYTES, form }),
  );
  if (!answer.success) throw new BadAnswer('no translated text');
  const said = [...answer.data.responseData.translatedText.matchAll(/<p>([\s\S]*?)<\/p>/g)].map(
    ([, text = '']) => text,
  );
  if (said.length !== texts.length) throw new UnfaithfulAnswer('another number of paragraphs came back');
  return said.map(withoutSigns);
}

/** Before a word: not known (`*`), no translation (`@`), no form (`#`). Names of our own with such signs are no words here. */
const SIGN = /(?<![\p{L}\p{N}])[*@#](?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])#(?![\p{L}\p{N}])/gu;
/** A text of which more than this share bears signs of failure was not translated. */
const MOST_SIGNS = 0.2;

function withoutSigns(text: string): string {
  const words = text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const failures = text.match(/(?<![\p{L}\p{N}&])[@#](?=\p{L})/gu)?.length ?? 0;
  if (failures > 2 && failures > words * MOST_SIGNS) throw new UnfaithfulAnswer('most words were not translated');
  return text
    .replace(SIGN, '')
    .replace(/ {2,}/g, ' ')
    .replace(/ (<g [^>]*>) /g, ' $1')
    .replace(/ (<\/g>) /g, '$1 ')
    .trim();
}
