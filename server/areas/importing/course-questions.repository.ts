import { sql } from 'kysely';
import { anyOf } from '#server/areas/catalogue/any-of.sql.ts';
import type { Db } from '#server/db/client.ts';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import type { RenderedBody } from './folder-bodies.view.ts';
import { upsertChanged } from './upsert.sql.ts';

export type CourseQuestionsRow = {
  course_id: string;
  locale: string;
  file: string | null;
  source: string;
  questions: AssessmentQuestion[];
};

/** The question bank of a course, of its rendered texts. */
export function toCourseQuestions(courseId: string, bodies: readonly RenderedBody[]): CourseQuestionsRow[] {
  return bodies.map(({ locale, file, source, questions }) => ({
    course_id: courseId,
    locale,
    file,
    source,
    questions: questions ?? [],
  }));
}

/** Replaces the question banks of courses and returns the courses that changed. */
export async function putCourseQuestions(
  db: Db,
  courseIds: string[],
  rows: readonly CourseQuestionsRow[],
): Promise<string[]> {
  if (courseIds.length === 0) return [];
  const keys = JSON.stringify(rows.map(({ course_id, locale }) => ({ course_id, locale })));
  const given = sql<{ course_id: string; locale: string }>`jsonb_to_recordset(${keys}::jsonb)`;
  const gone = await db
    .deleteFrom('course_questions')
    .where('course_id', '=', anyOf(courseIds, 'text'))
    .where(({ eb, not, refTuple, selectFrom }) =>
      not(
        eb(
          refTuple('course_id', 'locale'),
          'in',
          selectFrom(given.as<'r'>(sql`r(course_id text, locale text)`))
            .select(['r.course_id', 'r.locale'])
            .$asTuple('course_id', 'locale'),
        ),
      ),
    )
    .returning('course_id')
    .execute();
  const columns = { course_id: 'text', locale: 'text', file: 'text', source: 'text', questions: 'jsonb' };
  const changed = await upsertChanged(db, {
    table: 'course_questions',
    columns,
    key: ['course_id', 'locale'],
    rows: [...rows],
  });
  return [...gone.map((row) => row.course_id), ...changed.map(({ key }) => String(key[0]))];
}
