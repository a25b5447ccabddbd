import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** A stored text, and the activity it is or stands below, with where that is. */
export type PayloadRow = {
  activityId: string;
  communitySlug: string | null;
  /** Ids of the content platform; all null outside lessons. */
  courseId: string | null;
  journeyId: string | null;
  lessonId: string | null;
  title: string | null;
  body: string | null;
  /** Of a lesson discussion: by locale. */
  bodyMap: Partial<Record<Locale, string>> | null;
  locale: Locale;
};

const PLACE = sql`
  c.slug as "communitySlug", j.course_id as "courseId", j.id as "journeyId", l.id as "lessonId"`;
const PLACE_SOURCE = sql`
  left join communities c on c.id = a.community_id
  left join lessons l on l.key = a.lesson_key left join journeys j on j.key = l.journey_key`;

export async function getActivityPayload(db: Db, id: string): Promise<PayloadRow | undefined> {
  const { rows } = await sql<PayloadRow>`
    select a.id as "activityId", a.title, a.body, a.body_map as "bodyMap", a.locale, ${PLACE}
    from activities a ${PLACE_SOURCE} where a.id = ${id} and a.deleted_at is null`.execute(db);
  return rows[0];
}

export async function getReactionPayload(db: Db, id: string): Promise<PayloadRow | undefined> {
  const { rows } = await sql<PayloadRow>`
    select a.id as "activityId", null as title, r.body, null as "bodyMap", r.locale, ${PLACE}
    from reactions r join activities a on a.id = r.activity_id ${PLACE_SOURCE}
    where r.id = ${id} and r.deleted_at is null and a.deleted_at is null`.execute(db);
  return rows[0];
}
