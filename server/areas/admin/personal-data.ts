import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

const COHORT = sql`(select name from cohorts where id = t.cohort_id)`;
const COHORT_NAMED = 'exported as `cohort` with the membership';
/** Drafts are deleted within an hour. */
const OTHERS = 'concerns other people and is deleted within an hour';
const UPLOAD = 'refers to an upload by an administrator';

export const cohortMembers = definePersonalTable({
  table: 'cohort_members',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    cohort_id: leftOut('exported as `cohort`'),
    user_id: leftOut('the person'),
    upload_id: leftOut(UPLOAD),
    joined_at: 'joinedAt',
    by_hand: leftOut('how an administrator added them'),
  },
  also: () => ({ cohort: COHORT }),
  order: 'joined_at',
  erase: { rows: 'deleted' },
});

export const learnerReminders = definePersonalTable({
  table: 'learner_reminders',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    user_id: leftOut('the person'),
    journey_key: leftOut('exported as `journey`'),
    reminder_id: leftOut('its words are exported'),
    sent_at: 'sentAt',
  },
  also: () => ({
    journey: sql`(select slug from journeys where key = t.journey_key)`,
    words: sql`(select words from cohort_reminders where id = t.reminder_id)`,
  }),
  order: 'sent_at',
  erase: { rows: 'deleted' },
});

export const cohortJoiners = definePersonalTable({
  table: 'cohort_joiners',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: { cohort_id: leftOut(COHORT_NAMED), user_id: leftOut('the person') },
  order: 'cohort_id',
  erase: { rows: 'deleted' },
});

export const roleAssignments = definePersonalTable({
  table: 'role_assignments',
  part: 'security',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    id: leftOut('internal id of the row'),
    user_id: leftOut('the person'),
    role: 'role',
    kind: leftOut('the kind of `place`'),
    academy_id: leftOut('exported as `place`'),
    course_id: leftOut('exported as `place`'),
    cohort_id: leftOut('exported as `place`'),
    community_id: leftOut('exported as `place`'),
    given_by: leftOut('the administrator'),
    given_at: 'createdAt',
  },
  also: () => ({
    place: sql`coalesce(t.academy_id, t.course_id, ${COHORT}, (select slug from communities where id = t.community_id))`,
  }),
  order: 'given_at',
  erase: { rows: 'deleted' },
});

const AS_BITS = 'a bitmap of `cohort_members`, which is exported';

export const cohortCrowds = definePersonalTable({
  table: 'cohort_crowds',
  part: 'learning',
  isAbout: ({ id }) => sql`exists (
    select from users u where u.id = ${id} and t.chunk = u.number >> 12 and get_bit(t.people, u.number & 4095) = 1)`,
  columns: { cohort_id: leftOut(AS_BITS), chunk: leftOut(AS_BITS), people: leftOut(AS_BITS) },
  order: 'cohort_id',
  erase: { rows: 'kept', why: 'also concerns others, and is rebuilt within minutes from the remaining members' },
});

const COUNTED = 'counts rows of other tables, which are exported';

/** Pending changes of the figures. They are folded into the sums soon. */
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
  erase: { rows: 'kept', why: 'subtracts the erased rows from the sums and is then deleted' },
});

export const learningMonths = definePersonalTable({
  table: 'learning_months',
  part: 'learning',
  isAbout: ({ id }) => sql`t.user_id = ${id}`,
  columns: {
    month: leftOut(COUNTED),
    user_id: leftOut('the person'),
    course_id: leftOut(COUNTED),
    lessons: leftOut(COUNTED),
    minutes: leftOut(COUNTED),
    enrolments: leftOut(COUNTED),
    completions: leftOut(COUNTED),
    certificates: leftOut(COUNTED),
  },
  order: 'month',
  erase: { rows: 'deleted' },
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
  erase: { rows: 'kept', why: 'is reduced by the erased rows; counts of posts and replies stay, as the texts do' },
});

export const cohortInvitations = definePersonalTable({
  table: 'cohort_invitations',
  part: 'learning',
  isAbout: ({ email }) => sql`t.email = ${email}`,
  columns: {
    id: leftOut('internal id of the row'),
    cohort_id: leftOut('exported as `cohort`'),
    email: 'email',
    upload_id: leftOut(UPLOAD),
    created_at: 'createdAt',
    by_hand: leftOut('how an administrator invited them'),
    sent_again_at: leftOut('the exported mails show it'),
    times_sent_again: leftOut('the exported mails show it'),
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
    position: leftOut('position in the upload'),
    email: 'email',
    outcome: 'status',
    reason: leftOut('internal code'),
    undone: leftOut('internal code'),
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
    id: leftOut('internal id of the row'),
    cohort_id: leftOut('exported as `cohort`'),
    user_id: leftOut('the administrator'),
    name: 'name',
    content: leftOut(OTHERS),
    columns: leftOut(OTHERS),
    chosen: leftOut('internal number'),
    line_count: leftOut('internal number'),
    emails: leftOut(OTHERS),
    wrong: leftOut(OTHERS),
    wrong_count: leftOut('internal number'),
    repeated: leftOut('internal number'),
    fresh: leftOut('internal number'),
    added: leftOut('internal number'),
    already: leftOut('internal number'),
    inactive: leftOut('internal number'),
    upload_id: leftOut(UPLOAD),
    created_at: 'createdAt',
  },
  also: () => ({ cohort: COHORT }),
  order: 'created_at',
  erase: { rows: 'deleted' },
});
