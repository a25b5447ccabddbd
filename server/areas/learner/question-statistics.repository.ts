import { sql } from 'kysely';
import { type Db } from '#server/db/client.ts';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import type { FinishedAttempt } from './question-statistics.policy.ts';

/**
 * The ids of the first finished attempts of the people who finished one last, and the number of all people who did. The
 * oldest attempt that waits to be marked and all newer ones are left out: marking it would otherwise add one person amid
 * the others, and the difference of two readings would tell what they answered.
 */
export async function findFirstAttempts(
  db: Db,
  { lessonKey, limit }: { lessonKey: string; limit: number },
): Promise<{ ids: string[]; total: number }> {
  const rows = await db
    .with('first', (query) =>
      query
        .selectFrom('assessment_attempts')
        .distinctOn('user_id')
        .select(['id', 'submitted_at', 'passed'])
        .where('lesson_key', '=', lessonKey)
        .where('submitted_at', 'is not', null)
        // Nobody marks attempts from before a renewal.
        .where((eb) => eb.or([eb('passed', 'is not', null), eb('lapsed_at', 'is', null)]))
        .orderBy('user_id')
        .orderBy('submitted_at'),
    )
    .selectFrom('first')
    .select(['id', sql<number>`(count(*) over ())::int`.as('total')])
    .where(
      'submitted_at',
      '<',
      sql<Date>`coalesce((select min(submitted_at) from first where passed is null), 'infinity')`,
    )
    .orderBy('submitted_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
  return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
}

export async function findFinished(db: Db, ids: readonly string[]): Promise<FinishedAttempt[]> {
  return await db
    .selectFrom('assessment_attempts')
    .select(['locale', 'questions', 'answers', 'marks'])
    .where('id', 'in', ids)
    .$castTo<FinishedAttempt>()
    .execute();
}

/** The questions of the published texts of a lesson, by language, with those of the bank it draws from. */
export async function findPublishedQuestions(
  db: Db,
  lessonKey: string,
): Promise<{ locale: string; questions: AssessmentQuestion[] }[]> {
  return await db
    .selectFrom('bodies as b')
    .innerJoin('lessons as l', 'l.key', 'b.lesson_key')
    .innerJoin('journeys as j', 'j.key', 'l.journey_key')
    .leftJoin('course_questions as c', (join) =>
      join
        .onRef('c.course_id', '=', 'j.course_id')
        .onRef('c.locale', '=', 'b.locale')
        .on(sql<boolean>`(l.assessment ->> 'bank')::boolean`),
    )
    .select(['b.locale', sql`b.questions || coalesce(c.questions, '[]')`.as('questions')])
    .where('b.lesson_key', '=', lessonKey)
    .where('b.questions', 'is not', null)
    .orderBy('b.locale')
    .$castTo<{ locale: string; questions: AssessmentQuestion[] }>()
    .execute();
}
