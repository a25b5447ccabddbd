// Raw SQL: prepared, because every page of a course, lesson and discussion reads the access first.
import { type RawBuilder, sql } from 'kysely';
import { type Db, prepared } from '#server/db/client.ts';
import type { CourseAccessRow } from './learner.rows.ts';

/** A course, journey or lesson of the catalogue, by slugs or by content ids. */
export type CourseRef = { by: 'slug' | 'id'; course: string; journey?: string; lesson?: string };

/** The columns of CourseAccessRow. `is_granted`: a cohort of the user has the course or the journey as a product. */
export function accessColumns(userId: RawBuilder<unknown>): RawBuilder<CourseAccessRow> {
  return sql<CourseAccessRow>`
      c.id as course_id, c.slug as course_slug, c.title as course_title, c.type, c.human_translation,
      x.status <> 'published' as is_course_withdrawn,
      coalesce(p.can_view, 'private') as can_view, coalesce(p.can_join, 'private') as can_join,
      coalesce(p.is_set, false) as is_course_set,
      j.key as journey_key, j.id as journey_id, j.slug as journey_slug, j.title as journey_title, j.privacy, j.price,
      j.withdrawn_at is not null or coalesce(y.status <> 'published', false) as is_journey_withdrawn,
      q.can_view as journey_can_view, q.can_join as journey_can_join,
      coalesce(q.is_set, false) as is_journey_set,
      exists (select from cohort_members own join cohort_products granted on granted.cohort_id = own.cohort_id
        where own.user_id = ${userId} and granted.entry_id in (c.id, j.entry_id)) as is_granted,
      e.id as enrolment_id, enrolment_status(e.status, e.expires_on) as status, e.expires_on, e.completed_at,
      l.key as lesson_key, l.id as lesson_id, l.slug as lesson_slug,
      not exists (select from lessons f
        where f.journey_key = l.journey_key and f.position < l.position and f.withdrawn_at is null) as is_first_lesson`;
}

/** The tables of `accessColumns`: one row per journey. `isLesson` selects the lesson `l` of it, if any. */
export function accessSource(userId: RawBuilder<unknown>, isLesson: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`courses c
    join entries x on x.id = c.id
    left join products p on p.entry_id = c.id
    left join journeys j on j.course_id = c.id
    left join entries y on y.id = j.entry_id
    left join products q on q.entry_id = j.entry_id
    left join journey_enrolments e on e.journey_key = j.key and e.user_id = ${userId}
    left join lessons l on l.journey_key = j.key and l.withdrawn_at is null and ${isLesson}`;
}

const accessBy = (by: CourseRef['by'], hasLesson: boolean) =>
  prepared<CourseAccessRow>(() => {
    const learner = sql.raw('$1::uuid');
    return sql<CourseAccessRow>`
      select ${accessColumns(learner)}
      from ${accessSource(learner, sql.raw(hasLesson ? `l.${by} = $3` : 'false'))}
      where ${sql.raw(`c.${by}`)} = $2
      order by j.position, j.key`;
  });
const ACCESS = {
  slug: { course: accessBy('slug', false), lesson: accessBy('slug', true) },
  id: { course: accessBy('id', false), lesson: accessBy('id', true) },
};

/** The course with all its journeys, the user's access to each and the lesson, if the reference names a current one. */
export async function findAccess(
  db: Db,
  { ref, userId }: { ref: CourseRef; userId: string },
): Promise<CourseAccessRow[]> {
  const { by, course, lesson } = ref;
  return lesson === undefined
    ? await ACCESS[by].course(db, [userId, course])
    : await ACCESS[by].lesson(db, [userId, course, lesson]);
}
