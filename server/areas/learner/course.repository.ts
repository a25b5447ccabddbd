// Raw SQL: JSON aggregates that the prepared statement of a lesson page and the page of a course share.
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

/** The part of a journey that course and lesson pages share. */
function journeyJson(journeyKey: RawBuilder<unknown>, learner: RawBuilder<unknown>): RawBuilder<JourneyPart> {
  return sql<JourneyPart>`json_build_object(
    'outline', ${outlineJson(journeyKey, learner)},
    'certificate', ${certificateJson(journeyKey, learner)})`;
}

/** Changes of a journey since the learner finished it. */
function changesOf(journeyKey: RawBuilder<unknown>, learner: RawBuilder<unknown>): RawBuilder<ChangesJson | null> {
  return sql<ChangesJson | null>`(
    select ${changesJson(sql`own`)} from journey_enrolments own
    where own.journey_key = ${journeyKey} and own.user_id = ${learner})`;
}

/**
 * The contacts of course `c`. The address of an account is private, so it is left out. A profile is named only while it
 * exists.
 */
const CONTACTS = sql`(
  select coalesce(json_agg(json_build_object('name', k.name, 'role', k.role,
    'email', case when not exists (select from users u where u.email = k.email) then k.email end,
    'profileId', (select u.id from users u where u.id = k.profile_id and u.erased_at is null)) order by k.position), '[]')
  from course_contacts k where k.course_id = c.id)`;

/** The content of a course page, without the access to it. Journeys by key. */
export async function getCoursePage(
  db: Db,
  { courseId, journeyKeys, userId }: { courseId: string; journeyKeys: string[]; userId: string },
): Promise<CoursePageRow | undefined> {
  const learner = sql`${userId}::uuid`;
  const { rows } = await sql<CoursePageRow>`
    select c.summary, c.topics, f.key as cover_key, c.cover_alt, ${CONTACTS} as contacts,
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
      (select coalesce(json_object_agg(j.key, ${changesOf(sql.ref('j.key'), learner)}), '{}')
        from journeys j where j.key = any(${journeyKeys}::uuid[])) as changes
    from courses c
    left join content_assets f on f.path = c.cover
    where c.id = ${courseId}`.execute(db);
  return rows[0];
}

/** The access of each learner to each journey of a course. The row of the requested journey also has the lesson page. */
export type LessonRow = CourseAccessRow & LessonPageRow & { learner: string };

const LEARNER = sql.raw('v.id');

// The ids come from a subquery, so that one generic plan serves any number of learners.
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
 * A lesson with its text in the first available language of `chain`, else in any, with its journey and the access of each
 * learner, in one query. The caller checks the access.
 */
export async function findLesson(
  db: Db,
  ref: { course: string; journey: string; lesson: string },
  { chain, learners }: { chain: Locale[]; learners: string[] },
): Promise<LessonRow[]> {
  return await LESSON(db, [learners, ref.course, ref.journey, ref.lesson, chain]);
}
