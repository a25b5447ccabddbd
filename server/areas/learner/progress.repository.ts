import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { ProgressRow } from './learner.rows.ts';

/** A learner's progress in a journey, as JSON in the contract's shape. */
export function progressJson(journeyKey: RawBuilder<unknown>, userId: RawBuilder<unknown>): RawBuilder<ProgressRow> {
  return sql<ProgressRow>`journey_progress(${journeyKey}, ${userId})`;
}

/** The progress, and the revision of the journey it was counted in. */
export async function getProgress(
  db: Db,
  { journeyKey, userId }: { journeyKey: string; userId: string },
): Promise<{ progress: ProgressRow; revision: number }> {
  const { rows } = await sql<{ progress: ProgressRow; revision: number }>`
    select ${progressJson(sql`${journeyKey}::uuid`, sql`${userId}::uuid`)} as progress,
      (select revision from journeys where key = ${journeyKey}) as revision`.execute(db);
  return rows[0]!; // it has no condition
}

/** The most mandatory lessons and minutes a learner ever had completed in a journey, by the records of completions. */
export async function getMostDone(
  db: Db,
  { journeyKey, userId }: { journeyKey: string; userId: string },
): Promise<{ lessons: number; minutes: number }> {
  const { rows } = await sql<{ lessons: number; minutes: number }>`
    select coalesce(max((d.progress->>'completedLessons')::int), 0) as lessons,
      coalesce(max((d.progress->>'completedTime')::int), 0) as minutes
    from lesson_completions d join lessons l on l.key = d.lesson_key
    where l.journey_key = ${journeyKey} and d.user_id = ${userId}`.execute(db);
  return rows[0]!; // an aggregate gives one row
}
