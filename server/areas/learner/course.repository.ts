import type { Locale } from '@officium/contract/common';
import { sql, type RawBuilder } from 'kysely';
import { type Db, runPrepared } from '#server/db/client.ts';
import { certificateJson } from './certificate.repository.ts';
import { changesJson } from './change.repository.ts';
import type { CoursePageRow, JourneyPart, LessonPageRow, OutlineRow } from './learner.rows.ts';
import { progressJson } from './progress.repository.ts';

function outlineJson(journeyKey: RawBuilder<unknown>, userId: string): RawBuilder<OutlineRow[]> {
  return sql<OutlineRow[]>`(
    select coalesce(json_agg(json_build_object(
      'sectionKey', section.key, 'heading', coalesce(section.heading, '{}'), 'slug', listed.slug, 'title', listed.title,
      'minutes', listed.minutes, 'mandatory', listed.mandatory, 'completedAt', done.completed_at) order by listed.position, listed.key), '[]')
    from lessons listed
    left join sections section on section.key = listed.section_key
    left join lesson_completions done on done.lesson_key = listed.key and done.user_id = ${userId}
    where listed.journey_key = ${journeyKey} and listed.withdrawn_at is null)`;
}

function journeyJson(journeyKey: RawBuilder<unknown>, userId: string): RawBuilder<JourneyPart> {
  const learner = sql`${userId}::uuid`;
  return sql<JourneyPart>`json_build_object(
    'outline', ${outlineJson(journeyKey, userId)},
    'progress', ${progressJson(journeyKey, learner)},
    'certificate', ${certificateJson(journeyKey, learner)},
    'changes', (select ${changesJson(sql`held_place`)} from journey_enrolments held_place
      where held_place.journey_key = ${journeyKey} and held_place.user_id = ${learner}))`;
}

/** What the page of a course shows beside the access to it; journeys by their key. */
export async function getCoursePage(
  db: Db,
  { courseId, journeyKeys, userId }: { courseId: string; journeyKeys: string[]; userId: string },
): Promise<CoursePageRow | undefined> {
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
      (select coalesce(json_object_agg(j.key, ${journeyJson(sql.ref('j.key'), userId)}), '{}')
        from journeys j where j.key = any(${journeyKeys}::uuid[])) as journeys
    from courses c
    left join content_assets f on f.path = c.cover
    where c.id = ${courseId}`.execute(db);
  return rows[0];
}

/** A lesson with its text in the first language of `chain` there is one in, else in any, and its journey around it. */
export async function getLessonPage(
  db: Db,
  { lessonKey, chain, userId }: { lessonKey: string; chain: Locale[]; userId: string },
): Promise<LessonPageRow | undefined> {
  const [row] = await runPrepared(
    db,
    sql<LessonPageRow>`
    select l.id, l.slug, l.title, l.minutes, l.mandatory, l.discussion, b.html, b.headings, b.locale as shown_locale,
      (select coalesce(json_agg(o.locale order by o.locale), '[]') from bodies o where o.lesson_key = l.key) as locales,
      (select a.id from activities a where a.lesson_key = l.key and a.deleted_at is null order by a.id limit 1)
        as activity_id,
      ${journeyJson(sql.ref('l.journey_key'), userId)} as journey
    from lessons l
    left join lateral (
      select o.html, o.headings, o.locale from bodies o where o.lesson_key = l.key
      order by array_position(${chain}::text[], o.locale) nulls last, o.locale
      limit 1) b on true
    where l.key = ${lessonKey}`,
  );
  return row;
}
