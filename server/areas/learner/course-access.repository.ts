import type { LocalizedText } from '@officium/contract/common';
import { sql } from 'kysely';
import type { JourneyPrivacy, Scope } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';
import type { EnrolmentStatus } from './course-access.policy.ts';

/** Where something stands in the catalogue, named by slugs or by content ids. */
export type Place = { by: 'slug' | 'id'; course: string; journey?: string; lesson?: string };

/** A course with one of its journeys; a course without journeys has one row whose journey is null. */
export type AccessRow = {
  course_id: string;
  course_slug: string;
  course_title: LocalizedText;
  type: 'Public' | 'Private';
  human_translation: boolean;
  is_course_withdrawn: boolean;
  can_view: Scope;
  can_join: Scope;
  journey_key: string | null;
  journey_id: string;
  journey_slug: string;
  journey_title: LocalizedText;
  privacy: JourneyPrivacy;
  is_journey_withdrawn: boolean;
  is_granted: boolean;
  enrolment_id: string | null;
  status: EnrolmentStatus;
  expires_on: Date | null;
  completed_at: Date | null;
  lesson_key: string | null;
  lesson_id: string;
  lesson_slug: string;
  is_first_lesson: boolean;
};

/**
 * The course with all its journeys, what the learner holds of each and, when the place names one, the lesson, which
 * must not be withdrawn. A cohort's products, once cohorts have some, make `is_granted` true.
 */
export async function findAccess(db: Db, { place, userId }: { place: Place; userId: string }): Promise<AccessRow[]> {
  const { by, course, lesson } = place;
  const isLesson = lesson === undefined ? sql`false` : sql`${sql.ref(`l.${by}`)} = ${lesson}`;
  const { rows } = await sql<AccessRow>`
    select c.id as course_id, c.slug as course_slug, c.title as course_title, c.type, c.human_translation,
      x.status <> 'published' as is_course_withdrawn,
      coalesce(p.can_view, 'private') as can_view, coalesce(p.can_join, 'private') as can_join,
      j.key as journey_key, j.id as journey_id, j.slug as journey_slug, j.title as journey_title, j.privacy,
      j.withdrawn_at is not null as is_journey_withdrawn,
      false as is_granted,
      e.id as enrolment_id, enrolment_status(e.status, e.expires_on) as status, e.expires_on, e.completed_at,
      l.key as lesson_key, l.id as lesson_id, l.slug as lesson_slug,
      l.position = (select min(f.position) from lessons f where f.journey_key = j.key and f.withdrawn_at is null)
        as is_first_lesson
    from courses c
    join entries x on x.id = c.id
    left join products p on p.entry_id = c.id
    left join journeys j on j.course_id = c.id
    left join journey_enrolments e on e.journey_key = j.key and e.user_id = ${userId}
    left join lessons l on l.journey_key = j.key and l.withdrawn_at is null and ${isLesson}
    where ${sql.ref(`c.${by}`)} = ${course}
    order by j.position, j.key`.execute(db);
  return rows;
}
