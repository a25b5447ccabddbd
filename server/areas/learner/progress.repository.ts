import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { ProgressRow } from './learner.rows.ts';

/**
 * Counts a learner's progress in a journey as JSON in the contract's shape. The two expressions give the journey's key
 * and the learner's id; neither may be named `counted` or `done`.
 */
export function progressJson(journeyKey: RawBuilder<unknown>, userId: RawBuilder<unknown>): RawBuilder<ProgressRow> {
  return sql<ProgressRow>`(
    select json_build_object(
      'completedLessons', count(done.id) filter (where counted.mandatory),
      'completedTime', coalesce(sum(counted.minutes) filter (where counted.mandatory and done.id is not null), 0),
      'mandatoryLessons', count(*) filter (where counted.mandatory),
      'mandatoryTime', coalesce(sum(counted.minutes) filter (where counted.mandatory), 0),
      'optional', json_build_object(
        'completedLessons', count(done.id) filter (where not counted.mandatory),
        'lessons', count(*) filter (where not counted.mandatory)))
    from lessons counted
    left join lesson_completions done on done.lesson_key = counted.key and done.user_id = ${userId}
    where counted.journey_key = ${journeyKey} and counted.withdrawn_at is null)`;
}

export async function getProgress(
  db: Db,
  { journeyKey, userId }: { journeyKey: string; userId: string },
): Promise<ProgressRow> {
  const { rows } = await sql<{ progress: ProgressRow }>`
    select ${progressJson(sql`${journeyKey}::uuid`, sql`${userId}::uuid`)} as progress`.execute(db);
  return rows[0]!.progress; // an aggregate gives one row
}
