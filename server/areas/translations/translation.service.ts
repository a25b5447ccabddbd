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

/** Takes one of the translations a person may ask an engine for in an hour. */
export async function takeTurn(ctx: Ctx, viewer: UserViewer): Promise<void> {
  if (ctx.translation) await takeLimit(ctx, `translate:${viewer.id}`, { max: 120, windowSeconds: 3600 });
}

/** Calls of one person that may be under way: the parts of an article go at once, each in pieces. */
const AT_ONCE = 20;

/** Takes what a model may use up from what this person and all have left for today; 503 when that is not enough. */
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

/** Translates a text of the caller's own. */
export async function translateText(
  ctx: Ctx,
  viewer: UserViewer,
  input: z.output<typeof TranslationRequest>,
): Promise<{ translations: Partial<Record<Locale, string | RichText>> }> {
  if (!isPublicServant(viewer)) throw new AppError('auth.forbidden');
  const { sourceLocales: source, targetLocales: target, ...rest } = input;
  if (source === target) return { translations: { [target]: rest.content } };
  await takeTurn(ctx, viewer);
  const translation = await translateWith(ctx.translation, { ...rest, source, target }, meterOf(ctx, viewer));
  return { translations: { [target]: translation } };
}

/** The languages that can be translated into one; none when there is no engine, or it does not say. */
export async function listSources(ctx: Ctx, target: Locale): Promise<{ sources: Locale[] }> {
  const sources = await ctx.translation?.sourcesOf(target).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'language pairs of the translation engine unavailable');
    return [];
  });
  return { sources: sources ?? [] };
}
