import type { Locale } from '@officium/contract/common';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db } from '#server/db/client.ts';

export type PollOption = { id: string; body: string };

/** A stored text with the activity it belongs to and the place of that. */
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
  /** Lesson discussions only: by locale. */
  bodyMap: Partial<Record<Locale, string>> | null;
  bodyHtmlMap: Partial<Record<Locale, string>> | null;
  /** Polls only: in their order. */
  options: PollOption[];
  locale: Locale;
};

/** Activities `a` with the community or lesson they belong to. */
const placedActivities = (db: Db) =>
  db
    .selectFrom('activities as a')
    .leftJoin('communities as c', 'c.id', 'a.community_id')
    .leftJoin('lessons as l', 'l.key', 'a.lesson_key')
    .leftJoin('journeys as j', 'j.key', 'l.journey_key')
    .select(['a.id as activityId', 'c.slug as communitySlug'])
    .select(['j.course_id as courseId', 'j.id as journeyId', 'l.id as lessonId'])
    .where('a.deleted_at', 'is', null);

export async function getActivityPayload(db: Db, id: string): Promise<PayloadRow | undefined> {
  return await placedActivities(db)
    .select(['a.title', 'a.body', 'a.body_html as bodyHtml', 'a.body_map as bodyMap'])
    .select(['a.body_html_map as bodyHtmlMap', 'a.locale'])
    .select((eb) =>
      jsonArrayFrom(
        eb
          .selectFrom('poll_options as o')
          .select(['o.id', 'o.body'])
          .whereRef('o.poll_id', '=', 'a.id')
          .orderBy('o.position'),
      ).as('options'),
    )
    .where('a.id', '=', id)
    .$castTo<PayloadRow>() // the generated types do not narrow JSON and locales
    .executeTakeFirst();
}

export async function getReactionPayload(db: Db, id: string): Promise<PayloadRow | undefined> {
  const row = await placedActivities(db)
    .innerJoin('reactions as r', 'r.activity_id', 'a.id')
    .select(['r.body', 'r.body_html as bodyHtml', 'r.locale'])
    .where('r.id', '=', id)
    .where('r.deleted_at', 'is', null)
    .$narrowType<{ locale: Locale }>()
    .executeTakeFirst();
  return row && { ...row, title: null, bodyMap: null, bodyHtmlMap: null, options: [] };
}

/** Locks a text until the end of the transaction; false when the text has changed. */
export async function lockPayload(
  db: Db,
  { id, payloadType }: { id: string; payloadType: 'activity_payload' | 'reaction_payload' },
  original: Pick<PayloadRow, 'title' | 'body' | 'bodyMap'>,
): Promise<boolean> {
  const { title, body, bodyMap } = original;
  const row =
    payloadType === 'activity_payload'
      ? await db
          .selectFrom('activities')
          .select('id')
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .where('title', 'is not distinct from', title)
          .where('body', 'is not distinct from', body)
          .where('body_map', 'is not distinct from', bodyMap && JSON.stringify(bodyMap))
          .forShare()
          .executeTakeFirst()
      : await db
          .selectFrom('reactions')
          .select('id')
          .where('id', '=', id)
          .where('deleted_at', 'is', null)
          .where('body', 'is not distinct from', body)
          .forShare()
          .executeTakeFirst();
  return row !== undefined;
}
