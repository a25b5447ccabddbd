import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const autoApprovals = definePersonalTable({
  table: 'auto_approvals',
  part: 'account',
  // Rules for whole domains are not personal data.
  isAbout: ({ email }) => sql`(t.type = 'email' and lower(t.value) = ${email})`,
  columns: {
    id: leftOut('internal id of the row'),
    type: leftOut('always `email` here'),
    value: 'email',
    created_at: 'createdAt',
    updated_at: leftOut('says nothing about the person'),
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});
