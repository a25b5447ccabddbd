import type { Locale } from '@officium/contract/common';
import { sql, type RawBuilder } from 'kysely';
import { type Db, prepared } from '#server/db/client.ts';
import { certificateJson } from '#server/areas/certificates/certificate.repository.ts';
import { changesJson } from './change.repository.ts';
import { accessColumns, accessSource } from './course-access.repository.ts';
import type {
  CourseAccessRow,
  ChangesJson,
  CoursePageRow,
  JourneyPart,
  LessonPageRow,
  OutlineRow,
} from './learner.rows.ts';

function outlineJson(journeyKey: RawBuilder<unknown>, userId: RawBuilder<unknown>): RawBuilder<OutlineRow[]> {
  return sql<OutlineRow[]>`(
    select coalesce(json_agg(json_build_object(
      'sectionKey', section.key, 'heading', coalesce(section.heading, '{}'), 'slug', listed.slug, 'title', listed.title,
      'minutes', listed.minutes, 'mandatory', listed.mandatory, 'completedAt', done.completed_at) order by listed.position, listed.key), '[]')
    from lessons listed
    left join sections section on section.key = listed.section_key
    left join lesson_completions done on done.lesson_key = listed.key and done.user_id = ${userId}
    where listed.journey_key = ${journeyKey} and listed.withdrawn_at is null)`;
}

/** What the pages of a course and of a lesson both show of a journey. */
function journeyJson(journeyKey: RawBuilder<unknown>, learner: RawBuilder<unknown>): RawBuilder<JourneyPart> {
  return sql<JourneyPart>`json_build_object(
    'outline', ${outlineJson(journeyKey, learner)},
    'certificate', ${certificateJson(journeyKey, learner)})`;
}

/** What changed in a journey since the learner finished it. */
function newsJson(journeyKey: RawBuilder<unknown>, learner: RawBuilder<unknown>): RawBuilder<ChangesJson | null> {
  return sql<ChangesJson | null>`(
    select ${changesJson(sql`held_place`)} from journey_enrolments held_place
    where held_place.journey_key = ${journeyKey} and held_place.user_id = ${learner})`;
}

/** What the page of a course shows beside the access to it; journeys by their key. */
export async function getCoursePage(
  db: Db,
  { courseId, journeyKeys, userId }: { courseId: string; journeyKeys: string[]; userId: string },
): Promise<CoursePageRow | undefined> {
  const learner = sql`${userId}::uuid`;
  const { rows } = await sql<CoursePageRow>`
    select c.summary, f.key as cover_key, c.cover_alt,
      (select coalesce(json_agg(json_build_object('slug', a.slug, 'title', a.title) order by a.position, a.slug), '[]')
        from academy_courses m join academies a on a.id = m.academy_id join entries x on x.id = a.id
        where m.course_id = c.id and x.status = 'published') as academies,
      (with written as (
          select b.locale, b.lesson_key from bodies b join lessons l on l.key = b.lesson_key
          where l.journey_key = any(${journeyKeys}::uuid[]) and l.withdrawn_at is null)
        select coalesce(json_agg(whole.locale order by whole.locale), '[]') from (
          select locale from written group by locale
          having count(*) = (select count(distinct lesson_key) from written)) whole) as locales,
      (select coalesce(json_object_agg(j.key, ${journeyJson(sql.ref('j.key'), learner)}), '{}')
        from journeys j where j.key = any(${journeyKeys}::uuid[])) as journeys,
      (select coalesce(json_object_agg(j.key, ${newsJson(sql.ref('j.key'), learner)}), '{}')
        from journeys j where j.key = any(${journeyKeys}::uuid[])) as changes
    from courses c
    left join content_assets f on f.path = c.cover
    where c.id = ${courseId}`.execute(db);
  return rows[0];
}

/** The access to a course, a row for each learner and journey, and in that of the journey that was named the page of the lesson. */
export type LessonRow = CourseAccessRow & LessonPageRow & { learner: string };

const LEARNER = sql.raw('v.id');

// The ids stand in a query of their own, so that the planner does not plan anew for each number of them.
const LESSON = prepared<LessonRow>(
  () => sql<LessonRow>`
    select v.id as learner, ${accessColumns(LEARNER)},
      l.id, l.slug, l.title, l.minutes, l.mandatory, l.discussion, b.html, b.headings, b.locale as shown_locale,
      (select coalesce(json_agg(o.locale order by o.locale), '[]') from bodies o where o.lesson_key = l.key) as locales,
      (select a.id from activities a where a.lesson_key = l.key and a.deleted_at is null order by a.id limit 1)
        as activity_id,
      ${outlineJson(sql.ref('l.journey_key'), LEARNER)} as outline,
      ${certificateJson(sql.ref('l.journey_key'), LEARNER)} as certificate
    from unnest((select $1::uuid[])) v(id) cross join ${accessSource(LEARNER, sql.raw('j.slug = $3 and l.slug = $4'))}
    left join lateral (
      select o.html, o.headings, o.locale from bodies o where o.lesson_key = l.key
      order by array_position($5::text[], o.locale) nulls last, o.locale
      limit 1) b on true
    where c.slug = $2
    order by j.position, j.key`,
);

/**
 * A lesson with its text in the first language of `chain` there is one in, else in any, its journey around it, and how
 * learners stand to them, in one query; whether they may have it is for the caller to say.
 */
export async function findLesson(
  db: Db,
  place: { course: string; journey: string; lesson: string },
  { chain, learners }: { chain: Locale[]; learners: string[] },
): Promise<LessonRow[]> {
  return await LESSON(db, [learners, place.course, place.journey, place.lesson, chain]);
}
