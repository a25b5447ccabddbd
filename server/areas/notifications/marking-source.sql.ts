import { type RawBuilder, sql } from 'kysely';
import type { OpenSlugs } from '#server/access/can.ts';
import { isOpenSlug } from '#server/access/open-slugs.ts';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import { localText } from '#server/areas/community/viewer.sql.ts';

type Source = { head: RawBuilder<unknown>; nobody: RawBuilder<unknown> };

const TITLE = sql.raw(localText('l.title', `'en'`));
const PLACE = sql.raw(localText('k.title', `'en'`));

/**
 * Lessons with attempts that wait to be marked, for people who may mark them now, never for the learner. A narrowed
 * session sees none.
 */
export function ofMarking({
  head,
  nobody,
  isNarrowed,
  hasRoles,
}: Source & { isNarrowed: boolean; hasRoles: boolean }): RawBuilder<unknown> {
  return sql`
    select ${head}, ${nobody}, waiting.count, ${TITLE}, ${PLACE}, array['marking'], null, null::timestamptz, null
    from v cross join n
    join lessons l on l.key = n.object_id
    join journeys j on j.key = l.journey_key join courses k on k.id = j.course_id
    cross join lateral (
      select count(*)::int as count from assessment_attempts a
      where a.lesson_key = l.key and a.submitted_at is not null and a.passed is null and a.lapsed_at is null
        and a.user_id <> v.id) waiting
    where n.event = 'marking_waiting' and ${!isNarrowed} and waiting.count > 0 and (v.is_admin or exists (
      select from role_assignments r
      where ${hasRoles} and r.user_id = v.id and r.role = 'course-owner' and (r.course_id = k.id or r.academy_id in (
        select placed.academy_id from academy_courses placed where placed.course_id = k.id))))`;
}

/** Marked attempts of the viewer, while they are enrolled and the attempt counts. Titled by the lesson and the course. */
export function ofMarkedAttempts({ head, nobody, open }: Source & { open: OpenSlugs }): RawBuilder<unknown> {
  return sql`
    select ${head}, ${nobody}, 1, ${TITLE}, ${PLACE}, array['attempt', k.slug, j.slug, l.slug, a.id::text], null,
      null::timestamptz, null
    from v cross join n
    join assessment_attempts a on a.id = n.object_id and a.user_id = v.id and a.passed is not null and a.lapsed_at is null
    join lessons l on l.key = a.lesson_key and l.withdrawn_at is null
    join journeys j on j.key = l.journey_key and ${IS_PUBLISHED_JOURNEY}
    join courses k on k.id = j.course_id and ${isOpenSlug('k.slug', open.courses)}
    join journey_enrolments e on e.user_id = v.id and e.journey_key = j.key
      and enrolment_status(e.status, e.expires_on) = 'enrolled'
    where n.event = 'attempt_marked'`;
}
