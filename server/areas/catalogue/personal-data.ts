import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

export const courseContacts = definePersonalTable({
  table: 'course_contacts',
  part: 'learning',
  isAbout: ({ id, email }) => sql`(t.profile_id = ${id} or t.email = ${email})`,
  columns: {
    course_id: leftOut('`course` names it'),
    position: leftOut('order on the page'),
    name: 'name',
    role: 'role',
    email: 'email',
    profile_id: leftOut('the person'),
  },
  also: () => ({ course: sql`(select slug from courses where id = t.course_id)` }),
  order: 'course_id',
  erase: { rows: 'deleted' },
});

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
