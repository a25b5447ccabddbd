import type { Locale } from '@officium/contract/common';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type PollOption = { id: string; body: string };

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
  bodyHtml: string | null;
  /** Of a lesson discussion: by locale. */
  bodyMap: Partial<Record<Locale, string>> | null;
  bodyHtmlMap: Partial<Record<Locale, string>> | null;
  /** Of a poll, in their order. */
  options: PollOption[];
  locale: Locale;
};

const PLACE = sql`
  c.slug as "communitySlug", j.course_id as "courseId", j.id as "journeyId", l.id as "lessonId"`;
const PLACE_SOURCE = sql`
  left join communities c on c.id = a.community_id
  left join lessons l on l.key = a.lesson_key left join journeys j on j.key = l.journey_key`;

export async function getActivityPayload(db: Db, id: string): Promise<PayloadRow | undefined> {
  const { rows } = await sql<PayloadRow>`
    select a.id as "activityId", a.title, a.body, a.body_html as "bodyHtml", a.body_map as "bodyMap",
      a.body_html_map as "bodyHtmlMap", a.locale, ${PLACE}, coalesce((
        select jsonb_agg(jsonb_build_object('id', o.id, 'body', o.body) order by o.position)
        from poll_options o where o.poll_id = a.id), '[]') as options
    from activities a ${PLACE_SOURCE} where a.id = ${id} and a.deleted_at is null`.execute(db);
  return rows[0];
}

export async function getReactionPayload(db: Db, id: string): Promise<PayloadRow | undefined> {
  const { rows } = await sql<PayloadRow>`
    select a.id as "activityId", null as title, r.body, r.body_html as "bodyHtml", null as "bodyMap",
      null as "bodyHtmlMap", '[]'::jsonb as options, r.locale, ${PLACE}
    from reactions r join activities a on a.id = r.activity_id ${PLACE_SOURCE}
    where r.id = ${id} and r.deleted_at is null and a.deleted_at is null`.execute(db);
  return rows[0];
}

/** Locks a text until the end of the transaction; false when that is not what it says any more. */
export async function holdPayload(
  db: Db,
  { id, payloadType }: { id: string; payloadType: 'activity_payload' | 'reaction_payload' },
  said: Pick<PayloadRow, 'title' | 'body' | 'bodyMap'>,
): Promise<boolean> {
  const { rows } =
    payloadType === 'activity_payload'
      ? await sql`
          select from activities where id = ${id} and deleted_at is null and title is not distinct from ${said.title}
            and body is not distinct from ${said.body}
            and body_map is not distinct from ${said.bodyMap && JSON.stringify(said.bodyMap)}::jsonb for share`.execute(
          db,
        )
      : await sql`
          select from reactions where id = ${id} and deleted_at is null and body is not distinct from ${said.body}
          for share`.execute(db);
  return rows.length > 0;
}
