import { actorText, mentionedJson, personId, timestampText } from './reader.sql.ts';

/** A text as JSON. */
const quoted = (text: string) => `coalesce(to_json(${text})::text, 'null')`;

/**
 * The contract's Reaction, or DeletedReaction, as JSON text, for rows `r` of reactions, `u` of users (whose it is) and a
 * reader `v` (reader.sql.ts).
 */
export const REACTION_JSON = `concat('{"id":"', r.id, '","children_counts":{"like":', r.like_count, ',"reply":', r.reply_count, '}',
  case when r.deleted_at is not null then ',"deleted":true'
  else concat(',"kind":"', r.kind, '","activity_id":"', r.activity_id, '","user_id":"', ${personId('u')},
    '","actor":', ${actorText('u')},
    ',"body":', ${quoted('r.body')},
    ',"bodyHtml":', ${quoted('r.body_html')},
    ',"locale":', ${quoted('r.locale')},
    ',"additional_data":', r.additional_data,
    ',"mentioned_users":', case when r.mentioned = '{}' then '{}' else ${mentionedJson('r.mentioned')}::text end,
    ',"own_reactions":', coalesce((
      select json_object_agg(own.kind, own.id)::text from reactions own
      where own.parent_id = r.id and own.user_id = v.id and own.kind <> 'reply'), '{}'),
    ',"createdAt":"', ${timestampText('r.created_at')}, '","updatedAt":"', ${timestampText('r.updated_at')}, '"',
    ',"parent_id":"' || r.parent_id || '"', ',"editedAt":"' || ${timestampText('r.edited_at')} || '"') end, '}')`;
