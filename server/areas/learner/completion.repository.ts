// Raw SQL: `complete_lesson` is prepared, because completing a lesson is a hot write of one statement.
import { sql } from 'kysely';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { type Db, newId, prepared } from '#server/db/client.ts';
import type { CompletionRow, JourneyStatus } from './learner.rows.ts';
import { progressJson } from './progress.repository.ts';

/** done; absent (not enrolled); unpassed (its assessment); or the status of an enrolment that is not current. */
export type CompleteOutcome = 'done' | 'absent' | 'unpassed' | Exclude<JourneyStatus, 'enrolled'>;

const COMPLETE = prepared<{ outcome: CompleteOutcome }>(
  () => sql<{ outcome: CompleteOutcome }>`select outcome from complete_lesson($1, $2, $3, $4, $5)`,
);

/** Completes a lesson once, and its journey with the last mandatory lesson. See the SQL function `complete_lesson`. */
export async function completeLesson(
  db: Db,
  { userId, journeyKey, lessonKey, locale }: { userId: string; journeyKey: string; lessonKey: string; locale: string },
): Promise<CompleteOutcome> {
  const [row] = await COMPLETE(db, [newId(), userId, journeyKey, lessonKey, locale]);
  return row!.outcome; // a function with out parameters returns one row
}

/**
 * A learner's completions in the courses open to the viewer, newest first; of one lesson when given. A completion stored
 * without its progress gets today's.
 */
export async function findCompletions(
  db: Db,
  { userId, open, lessonKey }: { userId: string; open: string[] | null; lessonKey?: string },
): Promise<CompletionRow[]> {
  return await db
    .selectFrom('lesson_completions as d')
    .innerJoin('lessons as l', 'l.key', 'd.lesson_key')
    .innerJoin('journeys as j', 'j.key', 'l.journey_key')
    .innerJoin('courses as c', 'c.id', 'j.course_id')
    .select((eb) => [
      'd.id',
      'c.id as course_id',
      'c.slug as course_slug',
      'j.id as journey_id',
      'j.slug as journey_slug',
      'l.id as lesson_id',
      'l.slug as lesson_slug',
      'd.locale',
      'd.completed_at',
      sql<CompletionRow['snapshot']>`nullif(${eb.ref('d.progress')}, '{}')`.as('snapshot'),
      sql<CompletionRow['counts']>`case when ${eb.ref('d.progress')} = '{}'
        then ${progressJson(sql.ref('j.key'), sql.ref('d.user_id'))} end`.as('counts'),
    ])
    .where('d.user_id', '=', userId)
    .where(isOpenSlug('c.slug', open))
    .$if(lessonKey !== undefined, (query) => query.where('d.lesson_key', '=', lessonKey!)) // checked just before
    .orderBy('d.completed_at', 'desc')
    .orderBy('d.id', 'desc')
    .execute();
}
