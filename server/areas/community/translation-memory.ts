import { createHash } from 'node:crypto';
import type { Locale } from '@officium/contract/common';
import type { Ctx } from '#server/ctx.ts';

const KEPT = 500;
const GOOD_FOR_MS = 24 * 3_600_000;

export type StoredText = { content: string; source: Locale; target: Locale };
export type TranslationMemory = (ctx: Ctx, text: StoredText, translate: () => Promise<string>) => Promise<string>;

/**
 * Translations of what people wrote, each node for itself: made once for all who read a text, for a day at most. A text
 * that was changed is another one. Who may read it is asked before.
 */
export function createTranslationMemory(): TranslationMemory {
  const kept = new Map<string, { until: number; translation: Promise<string> }>();
  return async (ctx, { content, source, target }, translate) => {
    const key = createHash('sha256')
      .update(JSON.stringify([source, target, content]))
      .digest('base64');
    const now = ctx.clock.now().getTime();
    const known = kept.get(key);
    if (known && known.until > now) return await known.translation;
    const translation = translate();
    kept.delete(key);
    kept.set(key, { until: now + GOOD_FOR_MS, translation });
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return await translation.catch((error: unknown) => {
      kept.delete(key); // the next may have more luck
      throw error;
    });
  };
}
