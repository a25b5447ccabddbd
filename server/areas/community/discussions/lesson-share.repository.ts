// Raw SQL: the rules of access to communities and texts in the viewer's language.
import type { DiscussionShare } from '@officium/contract/lesson-shares';
import { sql } from 'kysely';
import { SEES_COMMUNITY_CONTENT } from '#server/access/can.ts';
import type { Db } from '#server/db/client.ts';
import { communityRule, viewerConditions } from '../members/visibility.sql.ts';
import { TITLE } from '../reading/post-skeleton.repository.ts';
import { type LocalViewer, localText, viewerSql } from '../viewer.sql.ts';
import { joinLesson } from './lesson.sql.ts';

const MAX_SHARES = 100;

/** The posts that share discussions of a lesson in communities whose posts the viewer may read, newest first. */
export async function findSharesOf(
  db: Db,
  localViewer: LocalViewer,
  { lessonKey, ids }: { lessonKey: string; ids: readonly string[] },
): Promise<DiscussionShare[]> {
  const viewer = viewerConditions(localViewer.viewer, 'is_granted(v.id, c.entry_id)');
  const { rows } = await sql<DiscussionShare>`
    select s.discussion_id as "discussionId", a.id as "activityId",
      json_build_object('slug', c.slug, 'title', ${sql.raw(TITLE)}) as community
    from ${viewerSql(localViewer.viewer, localViewer.locale)} cross join activities d
      join discussion_shares s on s.discussion_id = d.id
      join activities a on a.id = s.activity_id and a.deleted_at is null
      join communities c on c.id = a.community_id
      join entries e on e.id = c.entry_id and e.status = 'published'
      left join products p on p.entry_id = c.entry_id
      left join community_members m
        on m.community_id = c.id and m.user_id = v.id and (m.expires_on <= now()) is not true
    where d.id = any(${ids}::uuid[]) and d.lesson_key = ${lessonKey} and d.deleted_at is null
      and ${communityRule(SEES_COMMUNITY_CONTENT, viewer)} and ${communityRule({ any: ['hasLevel', 'isListed'] }, viewer)}
    order by a.id desc limit ${MAX_SHARES}`.execute(db);
  return rows;
}

/** A discussion that a post shares, for whoever may read the lessons of its journey. */
export type SharedRow = {
  activityId: string;
  id: string;
  journeyKey: string;
  /** Markdown in the nearest language. */
  body: string;
  course: string;
  courseTitle: string;
  journey: string;
  lesson: string;
  lessonTitle: string;
  likeCount: number;
  replyCount: number;
};

/** The discussions that these posts of a community share, in lessons that are not withdrawn. */
export async function findShared(
  db: Db,
  localViewer: LocalViewer,
  { communityId, ids }: { communityId: string; ids: readonly string[] },
): Promise<SharedRow[]> {
  const { rows } = await sql<SharedRow>`
    select a.id as "activityId", d.id, journey.key as "journeyKey",
      ${sql.raw(localText('d.body_map', `'en'`))} as body, course.slug as course,
      ${sql.raw(localText('course.title', `'en'`))} as "courseTitle", journey.slug as journey, lesson.slug as lesson,
      ${sql.raw(localText('lesson.title', `'en'`))} as "lessonTitle",
      d.like_count as "likeCount", d.reply_count as "replyCount"
    from ${viewerSql(localViewer.viewer, localViewer.locale)} cross join discussion_shares s
      join activities a on a.id = s.activity_id and a.deleted_at is null
      join activities d on d.id = s.discussion_id and d.deleted_at is null
      ${joinLesson(sql`d.id`)}
    where s.activity_id = any(${ids}::uuid[]) and a.community_id = ${communityId}
      and lesson.withdrawn_at is null and course.id is not null
    order by a.id desc`.execute(db);
  return rows;
}
