// Raw SQL: calls of the SQL function `count_progress`, which other statements embed, and numbers inside JSON.
import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { ProgressCounts } from './learner.rows.ts';

/** A learner's progress in a journey, as a JSON object. */
export function progressJson(journeyKey: RawBuilder<unknown>, userId: RawBuilder<unknown>): RawBuilder<ProgressCounts> {
  return sql<ProgressCounts>`(select to_json(counts) from count_progress(${journeyKey}, ${userId}) counts)`;
}

/** The progress, and the revision of the journey in which it was counted. */
export async function getProgress(
  db: Db,
  { journeyKey, userId }: { journeyKey: string; userId: string },
): Promise<{
  progress: { mandatoryLessons: number; completedLessons: number; completedTime: number };
  revision: number;
}> {
  const counts = sql<ProgressCounts>`count_progress(${journeyKey}::uuid, ${userId}::uuid)`.as('counts');
  const { revision, ...progress } = await db
    .selectFrom(counts)
    .select((eb) => [
      'counts.mandatory_lessons as mandatoryLessons',
      'counts.completed_lessons as completedLessons',
      'counts.completed_minutes as completedTime',
      eb.selectFrom('journeys').select('revision').where('key', '=', journeyKey).as('revision'),
    ])
    .$narrowType<{ revision: number }>() // the journey exists: its enrolment is locked
    .executeTakeFirstOrThrow();
  return { progress, revision };
}

/** The most mandatory lessons and minutes that a learner's completions in a journey ever recorded. */
export async function getMostDone(
  db: Db,
  { journeyKey, userId }: { journeyKey: string; userId: string },
): Promise<{ lessons: number; minutes: number }> {
  return await db
    .selectFrom('lesson_completions as d')
    .innerJoin('lessons as l', 'l.key', 'd.lesson_key')
    .select(({ ref }) => [
      sql<number>`coalesce(max((${ref('d.progress')}->>'completedLessons')::int), 0)`.as('lessons'),
      sql<number>`coalesce(max((${ref('d.progress')}->>'completedTime')::int), 0)`.as('minutes'),
    ])
    .where('l.journey_key', '=', journeyKey)
    .where('d.user_id', '=', userId)
    .where('d.lapsed_at', 'is', null)
    .executeTakeFirstOrThrow();
}
