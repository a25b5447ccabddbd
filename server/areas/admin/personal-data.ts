import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

const COHORT = sql`(select name from cohorts where id = t.cohort_id)`;
const UPLOAD = 'names the list an administrator brought';

export const cohortMembers = definePersonalTable({
  table: 'cohort_members',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    cohort_id: leftOut('`cohort` names it'),
    user_id: leftOut('the person'),
    upload_id: leftOut(UPLOAD),
    joined_at: 'joinedAt',
  },
  also: () => ({ cohort: COHORT }),
  order: 'joined_at',
  erase: { rows: 'deleted' },
});

export const cohortInvitations = definePersonalTable({
  table: 'cohort_invitations',
  part: 'learning',
  isAbout: ({ email }) => sql`t.email = ${email}`,
  columns: {
    id: leftOut('of the row'),
    cohort_id: leftOut('`cohort` names it'),
    email: 'email',
    upload_id: leftOut(UPLOAD),
    created_at: 'createdAt',
  },
  also: () => ({ cohort: COHORT }),
  order: 'created_at',
  erase: { rows: 'deleted' },
});

export const cohortUploadRows = definePersonalTable({
  table: 'cohort_upload_rows',
  part: 'learning',
  isAbout: ({ email }) => sql`t.email = ${email}`,
  columns: {
    upload_id: leftOut(UPLOAD),
    position: leftOut('in that list'),
    email: 'email',
    outcome: 'status',
    reason: leftOut('a code of ours'),
  },
  also: () => ({
    cohort: sql`(select c.name from cohort_uploads u join cohorts c on c.id = u.cohort_id where u.id = t.upload_id)`,
  }),
  order: 'upload_id',
  erase: { rows: 'deleted' },
});
