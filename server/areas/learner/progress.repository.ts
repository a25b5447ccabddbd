import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { ProgressRow } from './progress.policy.ts';

/**
 * Counts a learner's progress in a journey as JSON in the contract's shape. The two expressions give the journey's key
 * and the learner's id.
 */
export function progressJson(journeyKey: RawBuilder<unknown>, userId: RawBuilder<unknown>): RawBuilder<ProgressRow> {
  return sql<ProgressRow>`(
    select json_build_object(
      'completedLessons', count(d.id) filter (where l.mandatory),
      'completedTime', coalesce(sum(l.minutes) filter (where l.mandatory and d.id is not null), 0),
      'mandatoryLessons', count(*) filter (where l.mandatory),
      'mandatoryTime', coalesce(sum(l.minutes) filter (where l.mandatory), 0),
      'optional', json_build_object(
        'completedLessons', count(d.id) filter (where not l.mandatory),
        'lessons', count(*) filter (where not l.mandatory)))
    from lessons l
    left join lesson_completions d on d.lesson_key = l.key and d.user_id = ${userId}
    where l.journey_key = ${journeyKey} and l.withdrawn_at is null)`;
}

export async function getProgress(
  db: Db,
  { journeyKey, userId }: { journeyKey: string; userId: string },
): Promise<ProgressRow> {
  const { rows } = await sql<{ progress: ProgressRow }>`
    select ${progressJson(sql`${journeyKey}::uuid`, sql`${userId}::uuid`)} as progress`.execute(db);
  return rows[0]!.progress; // an aggregate gives one row
}
