import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const auditLog = definePersonalTable({
  table: 'audit_log',
  part: 'log',
  // A moderator's action on a text is about its author, too.
  isAbout: ({ id }) => sql`(t.actor = ${id} or t.object = ${id} or t.detail ->> 'authorId' = ${id})`,
  columns: {
    id: leftOut('internal key'),
    actor: leftOut('may be another person; `byMe` says whether it was this one'),
    action: 'action',
    object: 'object',
    detail: 'detail',
    request_id: leftOut('the id of a log line'),
    created_at: 'createdAt',
    position: leftOut('the position in the chain'),
    hash: leftOut('the hash of the entry and its predecessors'),
  },
  also: ({ id }) => ({ byMe: sql`t.actor = ${id}` }),
  order: 'created_at',
  erase: {
    rows: 'kept',
    why: 'Administration and moderation must remain accountable. The log knows people by ids, and an id reveals nothing about a person once the account is erased.',
  },
});
