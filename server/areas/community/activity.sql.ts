import { POLL_JSON } from './poll.sql.ts';
import { actorText, localText, mentionedJson } from './reader.sql.ts';

/** The contract's `community` of an activity, for a row `c` of communities; null outside one. */
export const COMMUNITY_TEXT = `case when c.id is null then 'null'
  else json_build_object('slug', c.slug, 'title', ${localText('c.title', 'c.locale')})::text end`;

/** The likes and pins of the reader. */
const OWN_REACTIONS = `case when a.like_count + a.pin_count = 0 then '{}' else coalesce((
  select json_object_agg(own.kind, own.id)::text from reactions own
  where own.activity_id = a.id and own.user_id = v.id and own.parent_id is null and own.kind <> 'reply'), '{}') end`;

/**
 * The members of the contract's Activity that are the same for every reader, without the braces, for a row `a` of
 * activities. Most of it was written when the activity was, in `written_json`.
 */
export const SHARED_TEXT = `concat(a.written_json,
    ',"mentioned_users":', case when a.mentioned = '{}' then '{}' else ${mentionedJson('a.mentioned')}::text end,
    ',"pinned":', case when a.pin_count > 0 then 'true' else 'false' end,
    ',"reaction_counts":{"like":', a.like_count, ',"reply":', a.reply_count, '}')`;

/**
 * The contract's Activity as JSON text, for rows `a` of activities, `u` of users (its author) and a reader `v`
 * (reader.sql.ts). `community` is an expression of the text of COMMUNITY_TEXT.
 */
export function activityText(community: string): string {
  return `concat('{', ${SHARED_TEXT},
    ',"actor":', ${actorText('u')},
    ',"community":', ${community},
    ',"own_reactions":', ${OWN_REACTIONS},
    ',"poll":' || case when a.verb = 'poll' then ${POLL_JSON}::text end, '}')`;
}

export const ACTIVITY_JSON = activityText(COMMUNITY_TEXT);

/**
 * The same of one that was just added, is no poll and mentions nobody, for its author `u`: nothing has to be looked up of
 * what nobody can have answered yet.
 */
export const NEW_ACTIVITY_JSON = `concat('{', a.written_json,
    ',"mentioned_users":{},"pinned":false,"reaction_counts":{"like":0,"reply":0},"actor":', u.actor_json,
    ',"community":', ${COMMUNITY_TEXT}, ',"own_reactions":{}}')`;
