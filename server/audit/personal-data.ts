import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const auditLog = definePersonalTable({
  table: 'audit_log',
  part: 'log',
  // What a moderator did to what somebody wrote is about its author, too.
  isAbout: ({ id }) => sql`(t.actor = ${id} or t.object = ${id} or t.detail ->> 'authorId' = ${id})`,
  columns: {
    id: leftOut('of the row'),
    actor: leftOut('may be another person; `byMe` says whether it was this one'),
    action: 'action',
    object: 'object',
    detail: 'detail',
    request_id: leftOut('names a line of the log'),
    created_at: 'createdAt',
    position: leftOut('where the entry stands in the chain'),
    hash: leftOut('of the entry and those before it'),
  },
  also: ({ id }) => ({ byMe: sql`t.actor = ${id}` }),
  order: 'created_at',
  erase: {
    rows: 'kept',
    why: 'Who administered and moderated what must be answered for. It knows people by ids, and an id says nothing of its person once the account is erased.',
  },
});
