import type { Db } from '#server/db/client.ts';

export async function insertMicrocourseCompletion(
  db: Db,
  { userId, microcourseId }: { userId: string; microcourseId: string },
): Promise<void> {
  await db
    .insertInto('microcourse_completions')
    .values({ user_id: userId, microcourse_id: microcourseId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A person's completed microcourses, last completed first, whether or not they may still see them. */
export async function findMicrocourseCompletions(db: Db, userId: string): Promise<{ id: string; completedAt: Date }[]> {
  return await db
    .selectFrom('microcourse_completions')
    .select(['microcourse_id as id', 'completed_at as completedAt'])
    .where('user_id', '=', userId)
    .orderBy('completed_at', 'desc')
    .orderBy('microcourse_id')
    .execute();
}
