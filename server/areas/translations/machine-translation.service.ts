import { createHash } from 'node:crypto';
import type { Locale } from '@officium/contract/common';
import { DEFAULT_TEMPERATURE } from '@officium/contract/translation';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { type Meter, type TranslationEngine, translateWith } from '#server/translation/translation.ts';
import { findTranslations, keepTranslations, type Translated } from './machine-translation.repository.ts';
import { meterOf, takeTranslationLimit } from './translation.service.ts';

const MODEL = 'fast';

export type TextPart = { part: string; encoding: 'plain-text' | 'markdown'; content: string };
/** A published text to translate. */
export type Original = {
  id: string;
  source: Locale;
  parts: TextPart[];
  /** Locks the text in a transaction; false when it has changed. */
  hold(db: Db): Promise<boolean>;
};
/** Translated text by part. */
export type TranslatedParts = Map<string, string>;

/** Coalesces concurrent requests for the same translation in this process. */
const pending = new WeakMap<TranslationEngine, Map<string, Promise<TranslatedParts>>>();

/** Translates a text, using stored translations of unchanged parts. Callers must check that the viewer may read it. */
export async function translateOriginal(
  ctx: Ctx,
  viewer: UserViewer,
  original: Original,
  target: Locale,
): Promise<TranslatedParts> {
  const engine = ctx.translation;
  if (!engine) throw new AppError('translation.unavailable', { retryAfterSeconds: 3600 });
  const hashed = original.parts.map((part) => ({ ...part, contentHash: hashOf(part) }));
  const kept = await findTranslations(ctx.db, { thingId: original.id, target, engine: engine.nameOf(MODEL) });
  const isKept = (part: { part: string; contentHash: Buffer }) => (row: Translated) =>
    row.part === part.part && row.source === original.source && row.contentHash.equals(part.contentHash);
  const words: TranslatedParts = new Map();
  const missing: typeof hashed = [];
  for (const part of hashed) {
    const row = kept.find(isKept(part));
    if (row) words.set(part.part, row.translation);
    else missing.push(part);
  }
  if (missing.length === 0) return words;
  const key = [original.id, original.source, target, ...missing.map(({ contentHash }) => contentHash.toString('hex'))];
  const made = await once(engine, key.join(' '), async () => {
    await takeTranslationLimit(ctx, viewer);
    return await translateParts(ctx, engine, { original, parts: missing, target, meter: meterOf(ctx, viewer) });
  });
  return new Map([...words, ...made]);
}

const hashOf = ({ encoding, content }: TextPart) => createHash('sha256').update(`${encoding} ${content}`).digest();

async function once(
  engine: TranslationEngine,
  key: string,
  work: () => Promise<TranslatedParts>,
): Promise<TranslatedParts> {
  const waiting = pending.get(engine) ?? new Map<string, Promise<TranslatedParts>>();
  pending.set(engine, waiting);
  const known = waiting.get(key);
  if (known) return await known;
  const working = work().finally(() => waiting.delete(key));
  waiting.set(key, working);
  return await working;
}

type Job = { original: Original; parts: (TextPart & { contentHash: Buffer })[]; target: Locale; meter: Meter };

async function translateParts(ctx: Ctx, engine: TranslationEngine, job: Job): Promise<TranslatedParts> {
  const { original, parts, target, meter } = job;
  const { source } = original;
  const options = { source, target, model: MODEL, temperature: DEFAULT_TEMPERATURE } as const;
  const made = await Promise.all(
    parts.map(async ({ part, contentHash, encoding, content }) => {
      const translation = await translateWith(engine, { encoding, content, ...options }, meter);
      return { part, source, contentHash, translation };
    }),
  );
  // The engine runs outside any transaction. If the text has changed meanwhile, the translation is not stored.
  await inTransaction(ctx.db, async (db) => {
    const where = { thingId: original.id, target, engine: engine.nameOf(MODEL) };
    if (await original.hold(db)) await keepTranslations(db, where, made);
  });
  return new Map(made.map(({ part, translation }) => [part, translation]));
}
