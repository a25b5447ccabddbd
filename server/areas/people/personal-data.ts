import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const autoApprovals = definePersonalTable({
  table: 'auto_approvals',
  part: 'account',
  // Rules about domains are about nobody.
  isAbout: ({ email }) => sql`(t.type = 'email' and lower(t.value) = ${email})`,
  columns: {
    id: leftOut('of the row'),
    type: leftOut('always an address'),
    value: 'email',
    created_at: 'createdAt',
    updated_at: leftOut('of no interest'),
  },
  order: 'created_at',
  erase: { rows: 'deleted' },
});
