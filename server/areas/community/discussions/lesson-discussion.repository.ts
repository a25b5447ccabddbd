// Raw SQL: the columns of texts in the viewer's language, from the SQL of the community area.
import type { Locale, LocalizedText } from '@officium/contract/common';
import { sql } from 'kysely';
import { type Db, NOW } from '#server/db/client.ts';
import { authoredColumns, type AuthoredRow, type LocalViewer, viewerSql } from '../viewer.sql.ts';

/** A discussion as one viewer sees it. `isAuthorTop`: its author is an administrator. */
export type DiscussionRow = AuthoredRow & {
  id: string;
  body: LocalizedText;
  locale: Locale;
  bodyHtml: string;
  isAuthorTop: boolean;
  likeCount: number;
  replyCount: number;
  ownReactions: { like?: string; pin?: string };
  isPinned: boolean;
  createdAt: Date;
  updatedAt: Date;
  editedAt: Date | null;
};

/** For rows `a` of activities, `u` of users (the author) and a viewer `v`; every body has an English text. */
const COLUMNS = `a.id, a.body_map as body, l.locale, a.body_html_map->>l.locale as "bodyHtml",
  ${authoredColumns('a.mentioned')}, u.role = 'administrator' as "isAuthorTop",
  a.like_count as "likeCount", a.reply_count as "replyCount", a.pin_count > 0 as "isPinned",
  coalesce((select json_object_agg(own.kind, own.id) from reactions own
    where own.activity_id = a.id and own.user_id = v.id and own.parent_id is null and own.kind <> 'reply'),
    '{}'::json) as "ownReactions",
  a.created_at as "createdAt", a.updated_at as "updatedAt", a.edited_at as "editedAt"`;
const NEAREST = `(select locale from unnest(v.locales) with ordinality as nearest (locale, place)
  where a.body_map ? locale order by place limit 1) l`;

export async function getDiscussion(
  db: Db,
  localViewer: LocalViewer,
  discussion: { id: string; lessonKey: string },
): Promise<DiscussionRow | undefined> {
  const { rows } = await sql<DiscussionRow>`
    select ${sql.raw(COLUMNS)}
    from ${viewerSql(localViewer.viewer, localViewer.locale)} cross join activities a
      join users u on u.id = a.author_id cross join lateral ${sql.raw(NEAREST)}
    where a.id = ${discussion.id} and a.lesson_key = ${discussion.lessonKey} and a.deleted_at is null`.execute(db);
  return rows[0];
}

/** A page of a lesson's discussions, pinned first, then newest. */
export async function findDiscussions(
  db: Db,
  localViewer: LocalViewer,
  page: { lessonKey: string; limit: number; offset: number },
): Promise<DiscussionRow[]> {
  const order = sql.raw('(a.pin_count > 0) desc, a.id desc');
  const { rows } = await sql<DiscussionRow>`
    select ${sql.raw(COLUMNS)}
    from ${viewerSql(localViewer.viewer, localViewer.locale)} cross join (
      select * from activities a where a.lesson_key = ${page.lessonKey} and a.deleted_at is null
      order by ${order} limit ${page.limit} offset ${page.offset}) a
      join users u on u.id = a.author_id cross join lateral ${sql.raw(NEAREST)}
    order by ${order}`.execute(db);
  return rows;
}

export async function countDiscussions(db: Db, lessonKey: string): Promise<number> {
  const { total } = await db
    .selectFrom('activities')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('lesson_key', '=', lessonKey)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return total;
}

/** Replaces the content of a locked discussion. */
export async function updateDiscussion(
  db: Db,
  discussion: { id: string; bodyMap: object; bodyHtmlMap: object; mentioned: string[] },
): Promise<void> {
  await db
    .updateTable('activities')
    .set({
      body_map: JSON.stringify(discussion.bodyMap),
      body_html_map: JSON.stringify(discussion.bodyHtmlMap),
      mentioned: discussion.mentioned,
      updated_at: NOW,
      edited_at: NOW,
    })
    .where('id', '=', discussion.id)
    .execute();
}

/** The path of a lesson, by ids of the content platform. */
export async function getLessonPath(
  db: Db,
  key: string,
): Promise<{ courseId: string; journeyId: string; lessonId: string } | undefined> {
  return await db
    .selectFrom('lessons as l')
    .innerJoin('journeys as j', 'j.key', 'l.journey_key')
    .select(['j.course_id as courseId', 'j.id as journeyId', 'l.id as lessonId'])
    .where('l.key', '=', key)
    .executeTakeFirst();
}

/** Whether a user's profile is named as a contact of a course. */
export async function isContact(db: Db, contact: { courseId: string; userId: string }): Promise<boolean> {
  const row = await db
    .selectFrom('course_contacts')
    .select('position')
    .where('course_id', '=', contact.courseId)
    .where('profile_id', '=', contact.userId)
    .executeTakeFirst();
  return row !== undefined;
}

/** A course, with whether a user's profile is named as its contact. */
export async function getCourse(
  db: Db,
  { slug, userId }: { slug: string; userId: string },
): Promise<{ id: string; slug: string; isContact: boolean } | undefined> {
  return await db
    .selectFrom('courses as c')
    .select((eb) => [
      'c.id',
      'c.slug',
      eb
        .exists(
          eb
            .selectFrom('course_contacts as k')
            .select('k.position')
            .whereRef('k.course_id', '=', 'c.id')
            .where('k.profile_id', '=', userId),
        )
        .$castTo<boolean>()
        .as('isContact'),
    ])
    .where('c.slug', '=', slug)
    .executeTakeFirst();
}
