import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

const COHORT = sql`(select name from cohorts where id = t.cohort_id)`;
/** Files that wait to be confirmed are gone within the hour. */
const OTHERS = 'is about others, and is deleted within an hour';
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
    by_hand: leftOut('how an administrator added them'),
  },
  also: () => ({ cohort: COHORT }),
  order: 'joined_at',
  erase: { rows: 'deleted' },
});

const AS_BITS = 'what `cohort_members` holds, which is exported';

export const cohortCrowds = definePersonalTable({
  table: 'cohort_crowds',
  part: 'learning',
  isAbout: ({ id }) => sql`exists (
    select from users u where u.id = ${id} and t.chunk = u.number >> 12 and get_bit(t.people, u.number & 4095) = 1)`,
  columns: { cohort_id: leftOut(AS_BITS), chunk: leftOut(AS_BITS), people: leftOut(AS_BITS) },
  order: 'cohort_id',
  erase: { rows: 'kept', why: 'is about others too, and is made again within minutes from the members who are left' },
});

const COUNTED = 'counts what other tables hold, which are exported';

/** Lines that wait to be added up; none stays for long. */
export const figureChanges = definePersonalTable({
  table: 'figure_changes',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    figure: leftOut(COUNTED),
    week: leftOut(COUNTED),
    user_id: leftOut('the person'),
    course_id: leftOut(COUNTED),
    amount: leftOut(COUNTED),
  },
  order: 'week',
  erase: { rows: 'kept', why: 'takes back what is erased, and is gone once it has' },
});

export const personFigures = definePersonalTable({
  table: 'person_figures',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    scope: leftOut(COUNTED),
    user_id: leftOut('the person'),
    week: leftOut(COUNTED),
    enrolments: leftOut(COUNTED),
    lessons: leftOut(COUNTED),
    journeys: leftOut(COUNTED),
    certificates: leftOut(COUNTED),
    posts: leftOut(COUNTED),
    replies: leftOut(COUNTED),
  },
  order: 'week',
  erase: { rows: 'kept', why: 'follows what is erased; how much was said to others stays, as what was said does' },
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
    by_hand: leftOut('how an administrator invited them'),
    sent_again_at: leftOut('the mails say it'),
    times_sent_again: leftOut('the mails say it'),
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
    undone: leftOut('a code of ours'),
  },
  also: () => ({
    cohort: sql`(select c.name from cohort_uploads u join cohorts c on c.id = u.cohort_id where u.id = t.upload_id)`,
  }),
  order: 'upload_id',
  erase: { rows: 'deleted' },
});

export const cohortDrafts = definePersonalTable({
  table: 'cohort_drafts',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('of the row'),
    cohort_id: leftOut('`cohort` names it'),
    user_id: leftOut('the administrator'),
    name: 'name',
    content: leftOut(OTHERS),
    columns: leftOut(OTHERS),
    chosen: leftOut('a number of ours'),
    line_count: leftOut('a number of ours'),
    emails: leftOut(OTHERS),
    wrong: leftOut(OTHERS),
    wrong_count: leftOut('a number of ours'),
    repeated: leftOut('a number of ours'),
    fresh: leftOut('a number of ours'),
    already: leftOut('a number of ours'),
    inactive: leftOut('a number of ours'),
    upload_id: leftOut(UPLOAD),
    created_at: 'createdAt',
  },
  also: () => ({ cohort: COHORT }),
  order: 'created_at',
  erase: { rows: 'deleted' },
});
