import type { Locale, LocalizedText } from '@officium/contract/common';
import type { Actor, MentionedUsers } from '@officium/contract/community';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Db } from '#server/db/client.ts';
import { type Reader, actorJson, mentionedJson, readerSql } from '../reader.sql.ts';

/** A discussion as one reader finds it. `isAuthorTop`: its author is an administrator. */
export type DiscussionRow = {
  id: string;
  body: LocalizedText;
  locale: Locale;
  bodyHtml: string;
  authorId: string;
  isAuthorTop: boolean;
  actor: z.output<typeof Actor>;
  mentioned: z.output<typeof MentionedUsers>;
  likeCount: number;
  replyCount: number;
  ownReactions: { like?: string; pin?: string };
  isPinned: boolean;
  createdAt: Date;
  updatedAt: Date;
  editedAt: Date | null;
};

/** For rows `a` of activities, `u` of users (its author) and a reader `v`; every body has a text in English. */
const COLUMNS = `a.id, a.body_map as body, l.locale, a.body_html_map->>l.locale as "bodyHtml",
  a.author_id as "authorId", u.role = 'administrator' as "isAuthorTop",
  ${actorJson('u')} as actor, ${mentionedJson('a.mentioned')} as mentioned,
  a.like_count as "likeCount", a.reply_count as "replyCount", a.pin_count > 0 as "isPinned",
  coalesce((select json_object_agg(own.kind, own.id) from reactions own
    where own.activity_id = a.id and own.user_id = v.id and own.parent_id is null and own.kind <> 'reply'),
    '{}'::json) as "ownReactions",
  a.created_at as "createdAt", a.updated_at as "updatedAt", a.edited_at as "editedAt"`;
const NEAREST = `(select locale from unnest(v.locales) with ordinality as nearest (locale, place)
  where a.body_map ? locale order by place limit 1) l`;

export async function getDiscussion(
  db: Db,
  reader: Reader,
  discussion: { id: string; lessonKey: string },
): Promise<DiscussionRow | undefined> {
  const { rows } = await sql<DiscussionRow>`
    select ${sql.raw(COLUMNS)}
    from ${readerSql(reader.viewer, reader.locale)} cross join activities a
      join users u on u.id = a.author_id cross join lateral ${sql.raw(NEAREST)}
    where a.id = ${discussion.id} and a.lesson_key = ${discussion.lessonKey} and a.deleted_at is null`.execute(db);
  return rows[0];
}

/** A page of a lesson's discussions, pinned first, then newest. */
export async function findDiscussions(
  db: Db,
  reader: Reader,
  page: { lessonKey: string; limit: number; offset: number },
): Promise<DiscussionRow[]> {
  const order = sql.raw('(a.pin_count > 0) desc, a.id desc');
  const { rows } = await sql<DiscussionRow>`
    select ${sql.raw(COLUMNS)}
    from ${readerSql(reader.viewer, reader.locale)} cross join (
      select * from activities a where a.lesson_key = ${page.lessonKey} and a.deleted_at is null
      order by ${order} limit ${page.limit} offset ${page.offset}) a
      join users u on u.id = a.author_id cross join lateral ${sql.raw(NEAREST)}
    order by ${order}`.execute(db);
  return rows;
}

export async function countDiscussions(db: Db, lessonKey: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from activities where lesson_key = ${lessonKey} and deleted_at is null`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Replaces what a locked discussion says. */
export async function updateDiscussion(
  db: Db,
  discussion: { id: string; bodyMap: object; bodyHtmlMap: object; mentioned: string[] },
): Promise<void> {
  await sql`
    update activities set body_map = ${JSON.stringify(discussion.bodyMap)},
      body_html_map = ${JSON.stringify(discussion.bodyHtmlMap)}, mentioned = ${discussion.mentioned}::uuid[],
      updated_at = now(), edited_at = now()
    where id = ${discussion.id}`.execute(db);
}
