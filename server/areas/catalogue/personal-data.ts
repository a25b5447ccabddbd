import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const academyMembers = definePersonalTable({
  table: 'academy_members',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    academy_id: leftOut('`academy` names it'),
    user_id: leftOut('the person'),
    joined_at: 'joinedAt',
  },
  also: () => ({ academy: sql`(select slug from academies where id = t.academy_id)` }),
  order: 'joined_at',
  erase: { rows: 'deleted' },
});
