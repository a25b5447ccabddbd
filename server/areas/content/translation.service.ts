import type { Locale } from '@officium/contract/common';
import type { RichText } from '@officium/contract/rich-text';
import type { TranslationRequest } from '@officium/contract/translation';
import type { z } from 'zod';
import { isPublicServant, type UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import { takeLimit } from '#server/http/limits.ts';
import { translateWith, type TranslationTask } from '#server/outside/translation.ts';

/** Translates for a person, within what one may use in an hour. */
export async function translateFor<T extends TranslationTask>(
  ctx: Ctx,
  viewer: UserViewer,
  task: T,
): Promise<T['content']> {
  if (ctx.translation) await takeLimit(ctx, `translate:${viewer.id}`, { max: 120, windowSeconds: 3600 });
  return await translateWith(ctx.translation, task);
}

/** Translates a text of the caller's own. */
export async function translateText(
  ctx: Ctx,
  viewer: UserViewer,
  input: z.output<typeof TranslationRequest>,
): Promise<{ translations: Partial<Record<Locale, string | RichText>> }> {
  if (!isPublicServant(viewer)) throw new AppError('auth.forbidden');
  const { sourceLocales: source, targetLocales: target, ...rest } = input;
  const translation = source === target ? rest.content : await translateFor(ctx, viewer, { ...rest, source, target });
  return { translations: { [target]: translation } };
}
