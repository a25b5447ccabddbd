import type { Locale } from '@officium/contract/common';
import type { RichText } from '@officium/contract/rich-text';
import type { TranslationRequest } from '@officium/contract/translation';
import type { z } from 'zod';
import { isPublicServant, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { takeLimit } from '#server/http/limits.ts';
import { translateWith } from '#server/outside/translation.ts';

/** Takes one of the translations a person may ask an engine for in an hour. */
export async function takeTurn(ctx: Ctx, viewer: UserViewer): Promise<void> {
  if (ctx.translation) await takeLimit(ctx, `translate:${viewer.id}`, { max: 120, windowSeconds: 3600 });
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
  const translation = await translateWith(ctx.translation, { ...rest, source, target });
  return { translations: { [target]: translation } };
}

/** The languages that can be translated into one; none when there is no engine, or it does not say. */
export async function listSources(ctx: Ctx, target: Locale): Promise<{ sources: Locale[] }> {
  const sources = await ctx.translation?.sourcesOf(target).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'the translation engine does not say what it can');
    return [];
  });
  return { sources: sources ?? [] };
}
