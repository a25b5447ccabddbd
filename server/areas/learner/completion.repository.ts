import { sql } from 'kysely';
import { newId, type Db } from '#server/db/client.ts';
import type { CompletionRow, ProgressRow } from './learner.rows.ts';
import { progressJson } from './progress.repository.ts';

/** The id of the new completion; undefined when there was one already. */
export async function insertCompletion(
  db: Db,
  { userId, lessonKey, locale }: { userId: string; lessonKey: string; locale: string },
): Promise<string | undefined> {
  const row = await db
    .insertInto('lesson_completions')
    .values({ id: newId(), user_id: userId, lesson_key: lessonKey, locale })
    .onConflict((conflict) => conflict.columns(['user_id', 'lesson_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function updateCompletion(db: Db, { id, progress }: { id: string; progress: ProgressRow }): Promise<void> {
  await db
    .updateTable('lesson_completions')
    .set({ progress: JSON.stringify(progress) })
    .where('id', '=', id)
    .execute();
}

/** A learner's completions, newest first; of one lesson when told. One recorded without its progress gets today's. */
export async function findCompletions(
  db: Db,
  { userId, lessonKey }: { userId: string; lessonKey?: string },
): Promise<CompletionRow[]> {
  const { rows } = await sql<CompletionRow>`
    select d.id, c.id as course_id, c.slug as course_slug, j.id as journey_id, j.slug as journey_slug,
      l.id as lesson_id, l.slug as lesson_slug, d.locale, d.completed_at,
      coalesce(nullif(d.progress, '{}'), ${progressJson(sql.ref('j.key'), sql.ref('d.user_id'))}::jsonb) as progress
    from lesson_completions d
    join lessons l on l.key = d.lesson_key
    join journeys j on j.key = l.journey_key
    join courses c on c.id = j.course_id
    where d.user_id = ${userId} and (${lessonKey ?? null}::uuid is null or d.lesson_key = ${lessonKey ?? null}::uuid)
    order by d.completed_at desc, d.id desc`.execute(db);
  return rows;
}
