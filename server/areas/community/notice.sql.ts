// Raw SQL: the statements that write texts notify people themselves, so that a hot write stays one statement.
import { sql } from 'kysely';
import { insertNotices, isNews } from '#server/notify/notify.ts';

/** The people whom a new text mentions, once each, except its author. */
const mentionedIn = (text: string, activityId: string, authorId: string) => `
  select distinct person as user_id, 'mention' as event, ${text}.id as object_id, ${activityId} as activity_id,
    null::uuid as since_id
  from ${text} cross join unnest(${text}.mentioned) person
  where person <> ${authorId} and ${isNews(`${text}.created_at`)}`;

/** Notifies the people whom a new post `a` mentions. */
export const NOTIFY_OF_POST = insertNotices(sql.raw(`(${mentionedIn('a', 'a.id', 'a.author_id')})`));

/**
 * Notifies the author of the text that a new reply `r` answers, and the people it mentions. An author who is mentioned
 * gets the mention only.
 */
export const NOTIFY_OF_REPLY = insertNotices(
  sql.raw(`(
  select answered.user_id, 'reply' as event, coalesce(r.parent_id, r.activity_id) as object_id, r.activity_id,
    r.id as since_id
  from r cross join lateral (
    select case when r.parent_id is null then a.author_id else parent.user_id end as user_id
    from activities a left join reactions parent on parent.id = r.parent_id
    where a.id = r.activity_id) answered
  where answered.user_id <> r.user_id and not answered.user_id = any(r.mentioned) and ${isNews('r.created_at')}
  union all
  ${mentionedIn('r', 'r.activity_id', 'r.user_id')})`),
);

/** The people whom an edit of the text mentions for the first time; those it mentioned before were notified. */
export type MentionEdit = { id: string; activityId: string; authorId: string; added: string[] };

/** Notifies the people whom an edit adds, once per text. `edited` has a row when the edit was stored. */
export function notifyOfEdit({ id, activityId, authorId, added }: MentionEdit, edited = sql``) {
  return insertNotices(sql`(
    select person as user_id, 'mention' as event, ${id}::uuid as object_id, ${activityId}::uuid as activity_id,
      null::uuid as since_id
    from unnest(${added}::uuid[]) person ${edited}
    where person <> ${authorId}::uuid and not exists (
      select from notifications n where n.user_id = person and n.event = 'mention' and n.object_id = ${id}::uuid))`);
}
