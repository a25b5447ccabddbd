import { actorJson, mentionedJson, personId, objectText, timestampText } from './reader.sql.ts';

const CHILDREN_COUNTS = `json_build_object('like', r.like_count, 'reply', r.reply_count)`;

/**
 * The contract's Reaction, or DeletedReaction, as JSON text, for rows `r` of reactions, `u` of users (whose it is) and a
 * reader `v` (reader.sql.ts).
 */
export const REACTION_JSON = `case when r.deleted_at is not null
  then json_build_object('id', r.id, 'deleted', true, 'children_counts', ${CHILDREN_COUNTS})::text
  else ${objectText(
    {
      id: 'r.id',
      kind: 'r.kind',
      activity_id: 'r.activity_id',
      user_id: personId('u'),
      actor: actorJson('u'),
      body: 'r.body',
      bodyHtml: 'r.body_html',
      locale: 'r.locale',
      additional_data: 'r.additional_data',
      mentioned_users: mentionedJson('r.mentioned'),
      children_counts: CHILDREN_COUNTS,
      own_reactions: `coalesce((
        select json_object_agg(own.kind, own.id) from reactions own
        where own.parent_id = r.id and own.user_id = v.id and own.kind <> 'reply'), '{}'::json)`,
      createdAt: timestampText('r.created_at'),
      updatedAt: timestampText('r.updated_at'),
    },
    { parent_id: 'r.parent_id', editedAt: timestampText('r.edited_at') },
  )} end`;
