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
 * The contract's Activity as JSON text, for rows `a` of activities, `u` of users (its author) and a reader `v`
 * (reader.sql.ts). Most of it was written when the activity was, in `written_json`. `community` is an expression of
 * the text of COMMUNITY_TEXT.
 */
export function activityText(community: string): string {
  return `concat('{', a.written_json,
    ',"mentioned_users":', case when a.mentioned = '{}' then '{}' else ${mentionedJson('a.mentioned')}::text end,
    ',"actor":', ${actorText('u')},
    ',"community":', ${community},
    ',"pinned":', case when a.pin_count > 0 then 'true' else 'false' end,
    ',"reaction_counts":{"like":', a.like_count, ',"reply":', a.reply_count,
    '},"own_reactions":', ${OWN_REACTIONS},
    ',"poll":' || case when a.verb = 'poll' then ${POLL_JSON}::text end, '}')`;
}

export const ACTIVITY_JSON = activityText(COMMUNITY_TEXT);
