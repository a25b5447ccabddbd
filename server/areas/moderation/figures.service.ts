import type { ModerationFigures } from '@officium/contract/moderation-office';
import type { Ctx } from '#server/ctx.ts';
import { findYears } from './figures.repository.ts';
import { toFigures } from './figures.view.ts';

export async function listFigures(ctx: Ctx): Promise<{ years: ModerationFigures[] }> {
  return { years: (await findYears(ctx.db)).map(toFigures) };
}
