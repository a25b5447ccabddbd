import { actorText, mentionedJson, personId, timestampText } from './reader.sql.ts';

// The contract's Reaction, or DeletedReaction, as JSON text, for rows `r` of reactions, `u` of users (whose it is) and a
// reader `v` (reader.sql.ts).

/** A text as JSON. */
const quoted = (text: string) => `coalesce(to_json(${text})::text, 'null')`;

const HEAD = `'{"id":"', r.id, '","children_counts":{"like":', r.like_count, ',"reply":', r.reply_count, '}'`;
const beforeActor = (userId: string) =>
  `',"kind":"', r.kind, '","activity_id":"', r.activity_id, '","user_id":"', ${userId}, '","actor":'`;
const BEFORE_ACTOR = beforeActor(personId('u'));
const beforeOwn = (mentioned: string) => `',"body":', ${quoted('r.body')},
    ',"bodyHtml":', ${quoted('r.body_html')},
    ',"locale":', ${quoted('r.locale')},
    ',"additional_data":', r.additional_data,
    ',"mentioned_users":', ${mentioned},
    ',"own_reactions":'`;
const BEFORE_OWN = beforeOwn(`case when r.mentioned = '{}' then '{}' else ${mentionedJson('r.mentioned')}::text end`);
const AFTER_OWN = `',"createdAt":"', ${timestampText('r.created_at')}, '","updatedAt":"', ${timestampText('r.updated_at')}, '"',
    ',"parent_id":"' || r.parent_id || '"', ',"editedAt":"' || ${timestampText('r.edited_at')} || '"', '}'`;

export const REACTION_JSON = `case when r.deleted_at is not null then concat(${HEAD}, ',"deleted":true}')
  else concat(${HEAD}, ${BEFORE_ACTOR}, ${actorText('u')}, ${BEFORE_OWN}, coalesce((
      select json_object_agg(own.kind, own.id)::text from reactions own
      where own.parent_id = r.id and own.user_id = v.id and own.kind <> 'reply'), '{}'), ${AFTER_OWN}) end`;

/** The same cut where what depends on the reader goes, as members for json_build_object; the author and their own are left out. */
export const REACTION_PARTS = `
  'before', case when r.deleted_at is not null then concat(${HEAD}, ',"deleted":true}') else concat(${HEAD}, ${BEFORE_ACTOR}) end,
  'between', concat(${BEFORE_OWN}), 'after', concat(${AFTER_OWN})`;

/**
 * The same of one that was just added and mentions nobody, for whose it is, a row `u` of users: nothing has to be looked
 * up of what nobody can have answered yet.
 */
export const NEW_REACTION_JSON = `concat('{"id":"', r.id, '","children_counts":{"like":0,"reply":0}',
  ${beforeActor('u.id')}, u.actor_json, ${beforeOwn("'{}'")}, '{}', ${AFTER_OWN})`;
