import { POLL_JSON } from './poll.sql.ts';
import { actorJson, localText, mentionedJson, objectText, timestampText } from './reader.sql.ts';

/**
 * The contract's Activity as JSON text, for rows `a` of activities, `u` of users (its author), `c` of communities (all
 * null outside one) and a reader `v` (reader.sql.ts).
 */
export const ACTIVITY_JSON = objectText(
  {
    id: 'a.id',
    verb: 'a.verb',
    title: 'a.title',
    body: 'a.body',
    bodyHtml: 'a.body_html',
    locale: 'a.locale',
    categories: 'a.categories',
    additional_data: 'a.additional_data',
    mentioned_users: mentionedJson('a.mentioned'),
    actor: actorJson('u'),
    community: `case when c.id is not null
      then json_build_object('slug', c.slug, 'title', ${localText('c.title', 'c.locale')}) end`,
    createdAt: timestampText('a.created_at'),
    updatedAt: timestampText('a.updated_at'),
    pinned: 'a.pin_count > 0',
    reaction_counts: `json_build_object('like', a.like_count, 'reply', a.reply_count)`,
    own_reactions: `case when a.like_count + a.pin_count = 0 then '{}'::json else coalesce((
      select json_object_agg(own.kind, own.id) from reactions own
      where own.activity_id = a.id and own.user_id = v.id and own.parent_id is null and own.kind <> 'reply'), '{}'::json) end`,
  },
  {
    editedAt: timestampText('a.edited_at'),
    poll: `case when a.verb = 'poll' then ${POLL_JSON} end`,
  },
);
