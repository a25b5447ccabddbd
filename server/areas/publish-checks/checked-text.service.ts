import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Locale } from '@officium/contract/common';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Limit, takeLimit } from '#server/limits/limits.ts';
import { takeTurns } from '#server/outside/turns.ts';
import { hasContent } from '#server/text/text-content.ts';
import { blocksOf } from './blocks.policy.ts';
import type { Finding } from './check.policy.ts';
import { checkText } from './publish-check.policy.ts';
import { type CheckedTranslation, shapeOf } from './translation.policy.ts';

export type CheckedText = CheckedTranslation & { findings: readonly Finding[] };

/** The longest texts take up to a second to check, so what is checked anew counts by size from here on. */
const LONG_BYTES = 8 * 1024;
const LONG_CHECKS: Limit = { max: 8 * 1024 * 1024, windowSeconds: 600 };
const MAX_CACHED = 1_000;
/** Results by digest, the oldest first. They never go stale, because a changed text has a new digest. */
const checked = new Map<string, Promise<CheckedText>>();
/** Other requests are served between any two parts of the work, whoever asks for it. */
const oneByOne = takeTurns({ running: 1, waiting: 1_000 });

/** Counts a text that is checked anew. Throws 429 above the limit. */
export async function takeChecking(ctx: Ctx, viewer: UserViewer, text: string): Promise<void> {
  const bytes = Buffer.byteLength(text);
  if (bytes >= LONG_BYTES) await takeLimit(ctx, `check-text:${viewer.id}`, LONG_CHECKS, bytes);
}

type Text = { source: string; locale: Locale; kind: string };

/** Checks a text of a piece of this kind once, for as long as the result is cached. */
export async function checkOnce(ctx: Ctx, viewer: UserViewer, { source, locale, kind }: Text): Promise<CheckedText> {
  const blocks = blocksOf(kind);
  const digest = createHash('sha256')
    .update(JSON.stringify([locale, [...blocks.keys()], source]))
    .digest('base64');
  const known = checked.get(digest);
  if (known) return await known;
  await takeChecking(ctx, viewer, source);
  const step = async <T>(work: () => T) =>
    await oneByOne(async () => {
      await setImmediate();
      return work();
    });
  const result = (async () => ({
    findings: await step(() => checkText(source, locale, blocks)),
    shape: await step(() => shapeOf(source)),
    hasContent: await step(() => hasContent(source)),
  }))();
  checked.set(digest, result);
  for (const [oldest] of checked) {
    if (checked.size <= MAX_CACHED) break;
    checked.delete(oldest);
  }
  return await result.catch((error: unknown) => {
    checked.delete(digest);
    throw error;
  });
}
