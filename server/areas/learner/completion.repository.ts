import { sql } from 'kysely';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { type Db, newId, prepared } from '#server/db/client.ts';
import type { CompletionRow, JourneyStatus } from './learner.rows.ts';
import { progressJson } from './progress.repository.ts';

/** done; absent: there is no place; or what has become of the place. */
export type CompleteOutcome = 'done' | 'absent' | Exclude<JourneyStatus, 'enrolled'>;

const COMPLETE = prepared<{ outcome: CompleteOutcome }>(
  () => sql<{ outcome: CompleteOutcome }>`select outcome from complete_lesson($1, $2, $3, $4, $5)`,
);

/** Completes a lesson, once, and its journey with the last mandatory one: `complete_lesson` in the database. */
export async function completeLesson(
  db: Db,
  { userId, journeyKey, lessonKey, locale }: { userId: string; journeyKey: string; lessonKey: string; locale: string },
): Promise<CompleteOutcome> {
  const [row] = await COMPLETE(db, [newId(), userId, journeyKey, lessonKey, locale]);
  return row!.outcome; // a function with out parameters answers one row
}

/**
 * A learner's completions in the courses that are open to who asks, newest first; of one lesson when told. One recorded
 * without its progress gets today's.
 */
export async function findCompletions(
  db: Db,
  { userId, open, lessonKey }: { userId: string; open: string[] | null; lessonKey?: string },
): Promise<CompletionRow[]> {
  const { rows } = await sql<CompletionRow>`
    select d.id, c.id as course_id, c.slug as course_slug, j.id as journey_id, j.slug as journey_slug,
      l.id as lesson_id, l.slug as lesson_slug, d.locale, d.completed_at,
      coalesce(nullif(d.progress, '{}'), ${progressJson(sql.ref('j.key'), sql.ref('d.user_id'))}::jsonb) as progress
    from lesson_completions d
    join lessons l on l.key = d.lesson_key
    join journeys j on j.key = l.journey_key
    join courses c on c.id = j.course_id
    where d.user_id = ${userId} and ${isOpenSlug('c.slug', open)} and (${lessonKey ?? null}::uuid is null or d.lesson_key = ${lessonKey ?? null}::uuid)
    order by d.completed_at desc, d.id desc`.execute(db);
  return rows;
}
