import type { Locale } from '@officium/contract/common';
import type { RichText } from '@officium/contract/rich-text';
import type { TranslationRequest } from '@officium/contract/translation';
import type { z } from 'zod';
import { settleTokens, takeTokens } from '#server/access/model-tokens.ts';
import { isPublicServant, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { newId } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { takeLimit } from '#server/limits/limits.ts';
import { type Meter, translateWith } from '#server/translation/translation.ts';

/** Counts one translation against the user's hourly limit. */
export async function takeTranslationLimit(ctx: Ctx, viewer: UserViewer): Promise<void> {
  if (ctx.translation) await takeLimit(ctx, `translate:${viewer.id}`, { max: 120, windowSeconds: 3600 });
}

/** Concurrent calls per user. The parts of an article are translated in parallel, each in several batches. */
const AT_ONCE = 20;

/** Reserves tokens from today's quota of the user and the installation; throws 503 when it is exhausted. */
export function meterOf(ctx: Ctx, viewer: UserViewer): Meter {
  return async (tokens) => {
    const call = { id: newId(), userId: viewer.id, tokens };
    const taken = await takeTokens(ctx.lastingDb, call, { ...ctx.config.aiTokens, atOnce: AT_ONCE });
    if (taken !== 'taken') {
      ctx.log.info({ reason: taken }, 'token quota exhausted: translation refused');
      throw new AppError('translation.unavailable', { retryAfterSeconds: taken === 'busy' ? 30 : 3600 });
    }
    return async (used) => await settleTokens(ctx.lastingDb, call.id, used);
  };
}

/** Translates text that the viewer submits. */
export async function translateText(
  ctx: Ctx,
  viewer: UserViewer,
  input: z.output<typeof TranslationRequest>,
): Promise<{ translations: Partial<Record<Locale, string | RichText>> }> {
  if (!isPublicServant(viewer)) throw new AppError('auth.forbidden');
  const { sourceLocales: source, targetLocales: target, ...rest } = input;
  if (source === target) return { translations: { [target]: rest.content } };
  await takeTranslationLimit(ctx, viewer);
  const translation = await translateWith(ctx.translation, { ...rest, source, target }, meterOf(ctx, viewer));
  return { translations: { [target]: translation } };
}

/** Lists source languages for a target; empty without an engine or when it does not respond. */
export async function listSources(ctx: Ctx, target: Locale): Promise<{ sources: Locale[] }> {
  const sources = await ctx.translation?.sourcesOf(target).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'language pairs of the translation engine unavailable');
    return [];
  });
  return { sources: sources ?? [] };
}
