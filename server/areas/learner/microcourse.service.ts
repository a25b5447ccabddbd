import type { UserViewer } from '#server/access/viewer.ts';
import type { MicrocourseFactsRow } from '#server/areas/catalogue/catalogue.repository.ts';
import { seenMicrocourses } from '#server/areas/catalogue/catalogue.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { findMicrocourseCompletions, insertMicrocourseCompletion } from './microcourse.repository.ts';

export async function completeMicrocourse(ctx: Ctx, actor: UserViewer, slug: string): Promise<void> {
  const [row] = await seenMicrocourses(ctx.db, actor, { by: 'slug', values: [slug] });
  if (!row) throw notFound();
  await insertMicrocourseCompletion(ctx.db, { userId: actor.id, microcourseId: row.id });
}

/** The microcourses that the viewer completed and may see, last completed first. */
export async function listMyMicrocourses(
  ctx: Ctx,
  viewer: UserViewer,
): Promise<{ row: MicrocourseFactsRow; completedAt: Date }[]> {
  const completions = await findMicrocourseCompletions(ctx.db, viewer.id);
  if (completions.length === 0) return [];
  const seen = await seenMicrocourses(ctx.db, viewer, { by: 'id', values: completions.map(({ id }) => id) });
  return completions.flatMap(({ id, completedAt }) => {
    const row = seen.find((microcourse) => microcourse.id === id);
    return row ? [{ row, completedAt }] : [];
  });
}
