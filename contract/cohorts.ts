import { z } from 'zod';
import { Upload } from './admin.ts';
import { Day, EntryId, limitParam, Slug, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

// Cohort administration beyond the customer's contract: undo, files, resending, progress.

/** Errors of these operations, with their status. */
export const cohortErrors = {
  'admin.file_unreadable': { status: 400, message: 'The file could not be read as a table. Send a CSV or XLSX file.' },
  'admin.file_too_large': { status: 413, message: 'The file is too large: at most 8 MB, or 64 MB unpacked.' },
  'admin.file_too_many_rows': { status: 400, message: 'The file has too many rows: at most 100 000.' },
  'admin.file_no_addresses': { status: 400, message: 'The file contains no e-mail address.' },
  'admin.undo_too_late': { status: 409, message: 'An upload can be undone within 30 days only.' },
  'admin.invited_lately': { status: 409, message: 'This address was mailed less than 24 hours ago.' },
} as const;

export const MAX_FILE_BYTES = 8 * 1024 * 1024;
export const MAX_FILE_ROWS = 100_000;
/** How long an uploaded file waits for confirmation. */
export const DRAFT_MINUTES = 60;
/** How long an upload can be undone. */
export const UNDO_DAYS = 30;

const Count = z.int().min(0);
const cohortParams = z.object({ id: Uuid });
const NAME_DIFFERS = 'Must be the name of the cohort';
export const COHORT_NAME_DIFFERS = NAME_DIFFERS;

export const listCohortTypes = endpoint({
  name: 'listCohortTypes',
  service: 'admin',
  method: 'GET',
  path: '/cohort-types',
  auth: 'admin',
  extension: true,
  summary: 'List the cohort types',
  replies: { 200: z.object({ types: z.array(z.string()) }) },
});

// ----------------------------------------------------------------------------------------- members and invitations

export const removeCohortMember = endpoint({
  name: 'removeCohortMember',
  service: 'admin',
  method: 'DELETE',
  path: '/cohorts/{id}/users/{userId}',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Remove a member from a cohort',
  description:
    'Ends access that only this cohort gave: its products, and enrolments in its journeys that nothing else justifies. Progress, certificates and community memberships stay.',
  params: z.object({ id: Uuid, userId: Uuid }),
  replies: { 204: null },
});

export const withdrawInvitation = endpoint({
  name: 'withdrawInvitation',
  service: 'admin',
  method: 'DELETE',
  path: '/cohorts/{id}/invitations/{invitationId}',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Withdraw an invitation',
  description: 'Its mail is cancelled if it has not been sent yet.',
  params: z.object({ id: Uuid, invitationId: Uuid }),
  replies: { 204: null },
});

const Invitation = z
  .object({
    id: Uuid,
    email: z.string(),
    name: z.string().describe('Empty while no account has this address'),
    createdAt: Timestamp,
    sentAt: Timestamp.describe('Time of the last mail'),
    timesSentAgain: Count,
    canSendAgain: z.boolean().describe('The last mail is more than 24 hours old'),
  })
  .meta({ id: 'Invitation' });

export const INVITATION_SORTS = ['createdAt', '-createdAt', 'email', '-email', 'sentAt', '-sentAt'] as const;

export const searchInvitations = endpoint({
  name: 'searchInvitations',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/invitation-mails',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'List invitations with their mails, oldest first unless `sort` is given',
  description:
    '`after` is the id of the last invitation of the previous page, in the same order. `match` is the beginning of an address.',
  params: cohortParams,
  query: z.object({
    match: text({ max: 256, name: 'Match' }).optional(),
    sort: z.enum(INVITATION_SORTS, { error: `Must be one of ${INVITATION_SORTS.join(', ')}` }).default('createdAt'),
    after: Uuid.optional(),
    limit: limitParam(50, 1000),
  }),
  replies: { 200: z.object({ invitations: z.array(Invitation), hasMore: z.boolean() }) },
});

const Resend = z
  .object({
    id: Uuid,
    uploadId: Uuid.nullable(),
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
    total: Count.describe('Number of invitations to process'),
    done: Count.describe('Number processed'),
    sent: Count.describe('Number mailed again; the others were mailed within 24 hours'),
  })
  .meta({ id: 'Resend' });

export const resendInvitations = endpoint({
  name: 'resendInvitations',
  service: 'admin',
  method: 'POST',
  path: '/cohorts/{id}/resends',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Resend invitations',
  description:
    'Covers the whole cohort, one upload, or one invitation. No address is mailed twice within 24 hours, whatever cohort invites it. While such a task of the cohort runs, repeating the request returns it.',
  params: cohortParams,
  body: z.object({ uploadId: Uuid.optional(), invitationId: Uuid.optional() }),
  replies: { 202: Resend },
  errors: ['admin.invited_lately', 'admin.cohort_archived', 'admin.cohort_ended'],
});

export const listResends = endpoint({
  name: 'listResends',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/resends',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'List resend tasks with their progress, newest first',
  params: cohortParams,
  query: z.object({ limit: limitParam(5) }),
  replies: { 200: z.object({ resends: z.array(Resend) }) },
});

// --------------------------------------------------------------------------------------------------------- products

const productParams = z.object({ id: Uuid, entryId: EntryId });
const DueOn = Day.nullable();

export const attachCohortProduct = endpoint({
  name: 'attachCohortProduct',
  service: 'admin',
  method: 'PUT',
  path: '/cohorts/{id}/products/{entryId}',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Attach one product to a cohort, or set its due date',
  description:
    'Other products are not affected by concurrent changes. Members are notified of a journey or course that is newly attached. An omitted `dueOn` keeps the date; null clears it. Managers of the cohort set due dates of its products, but attach no others (403). An id that is not a registered product is 404.',
  params: productParams,
  body: z.object({ dueOn: DueOn.optional() }),
  replies: { 204: null },
  errors: ['admin.cohort_archived'],
});

export const detachCohortProduct = endpoint({
  name: 'detachCohortProduct',
  service: 'admin',
  method: 'DELETE',
  path: '/cohorts/{id}/products/{entryId}',
  auth: 'admin',
  extension: true,
  summary: 'Detach one product from a cohort',
  description:
    'Members lose access that only this product gave. Enrolments that the cohort made in it end unless something else allows them; those not started are deleted. Other enrolments and progress stay.',
  params: productParams,
  replies: { 204: null },
});

export const listDueDates = endpoint({
  name: 'listDueDates',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/due-dates',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: "List the due dates of a cohort's products",
  params: cohortParams,
  replies: { 200: z.object({ dueDates: z.array(z.object({ entryId: EntryId, dueOn: z.iso.date() })) }) },
});

// ---------------------------------------------------------------------------------------------------------- uploads

export const WRONG_ROWS_KEPT = 200;
const Draft = z
  .object({
    id: Uuid,
    cohortId: Uuid,
    name: z.string(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    columns: z.array(z.object({ label: z.string(), addresses: Count })),
    column: Count.describe('Index of the address column, from 0'),
    rows: Count.describe('Non-empty rows without the heading'),
    addresses: Count.describe('Number of distinct addresses'),
    fresh: Count.describe('Addresses that would be added or invited'),
    added: Count.describe('Addresses with an account, which would become members at once'),
    invited: Count.describe('Addresses without a confirmed account, which would get an invitation by mail'),
    mailsAfterSeconds: Count.describe(
      'Seconds after which these mails would begin to leave; until then, undoing cancels them',
    ),
    already: Count.describe('Addresses that are members or invited already'),
    inactive: Count.describe('Addresses of inactive accounts'),
    repeated: Count.describe('Rows with a repeated address'),
    wrong: Count.describe('Rows without a valid address'),
    wrongRows: z
      .array(z.object({ row: z.int(), value: z.string(), reason: z.enum(['missing', 'malformed']) }))
      .describe(`The first ${WRONG_ROWS_KEPT} rows without a valid address`),
    uploadId: Uuid.nullable().describe('The upload started by confirming'),
  })
  .meta({ id: 'UploadDraft' });

export const readUploadFile = endpoint({
  name: 'readUploadFile',
  service: 'admin',
  method: 'POST',
  path: '/cohorts/{id}/drafts',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Read a file of addresses and preview its upload',
  description:
    'Writes only the draft, which its administrator can confirm within an hour. Accepts CSV (commas, semicolons or tabs; UTF-8, UTF-16 or Windows-1252) and XLSX, at most 8 MB and 100 000 rows.',
  params: cohortParams,
  upload: 'file',
  bodyLimit: MAX_FILE_BYTES + 64 * 1024,
  replies: { 201: Draft },
  errors: [
    'admin.file_unreadable',
    'admin.file_too_large',
    'admin.file_too_many_rows',
    'admin.file_no_addresses',
    'admin.cohort_archived',
    'admin.cohort_ended',
  ],
});

const draftParams = z.object({ id: Uuid, draftId: Uuid });

export const readUploadDraft = endpoint({
  name: 'readUploadDraft',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/drafts/{draftId}',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Read an upload draft',
  description: 'Visible to the administrator who uploaded the file, for an hour.',
  params: draftParams,
  replies: { 200: Draft },
});

export const chooseDraftColumn = endpoint({
  name: 'chooseDraftColumn',
  service: 'admin',
  method: 'PUT',
  path: '/cohorts/{id}/drafts/{draftId}',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Choose the address column of an upload draft',
  params: draftParams,
  body: z.object({ column: z.int().min(0).max(200) }),
  replies: { 200: Draft },
  errors: ['admin.file_no_addresses'],
});

export const confirmDraft = endpoint({
  name: 'confirmDraft',
  service: 'admin',
  method: 'POST',
  path: '/cohorts/{id}/drafts/{draftId}/upload',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Upload the addresses of a draft',
  description: 'Rows without a valid address are skipped. Confirming twice creates one upload.',
  params: draftParams,
  body: z.object({ slug: Slug.describe('A label for the upload history') }),
  replies: { 202: Upload },
  errors: ['admin.cohort_archived', 'admin.cohort_ended'],
});

const uploadParams = z.object({ id: Uuid, uploadId: Uuid });

export const readUpload = endpoint({
  name: 'readUpload',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/uploads/{uploadId}',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Read the progress of an upload and of its undo',
  params: uploadParams,
  replies: { 200: Upload },
});

export const undoUpload = endpoint({
  name: 'undoUpload',
  service: 'admin',
  method: 'POST',
  path: '/cohorts/{id}/uploads/{uploadId}/undo',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Undo an upload',
  description:
    "Removes the members and invitations that the upload created. Possible for 30 days; `name` must repeat the name of the cohort. Anyone who was a member or invited before, or who is also added by another upload, by hand or by an enrolment, stays. Enrolments in the cohort's journeys end as when a member is removed; progress and certificates stay. Unsent mails are cancelled. Runs as a job; repeating the request returns its progress.",
  params: uploadParams,
  body: z.object({ name: z.string().max(1000) }),
  replies: { 202: Upload },
  errors: ['admin.undo_too_late'],
});

// --------------------------------------------------------------------------------------------------------- progress

export const PROGRESS_STATES = ['not-started', 'started', 'finished', 'late'] as const;
const JourneyProgress = z
  .object({
    id: Uuid.describe('Id of the journey'),
    entryId: EntryId.describe('Id of the product that gives the cohort access'),
    title: z.string(),
    course: z.string(),
    dueOn: z.iso.date().nullable(),
    notStarted: Count,
    started: Count.describe('Completed a lesson, but not the journey'),
    finished: Count,
    late: Count.describe('Not finished by the due date'),
  })
  .meta({ id: 'CohortProgress' });

export const readCohortProgress = endpoint({
  name: 'readCohortProgress',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/progress',
  auth: 'admin',
  capability: 'read-reports',
  extension: true,
  summary: "Read a cohort's progress in its journeys",
  params: cohortParams,
  replies: { 200: z.object({ members: Count, journeys: z.array(JourneyProgress) }) },
});

const LearnerProgress = z
  .object({
    id: Uuid,
    name: z.string(),
    email: z.string(),
    organization: z.string().nullable().describe('Of the profile; null: not given'),
    state: z.enum(['not-started', 'started', 'finished']),
    isLate: z.boolean(),
    startedAt: Timestamp.nullable(),
    finishedAt: Timestamp.nullable(),
    remindedAt: Timestamp.nullable().describe('Time of the last reminder of this journey, from any cohort'),
  })
  .meta({ id: 'CohortLearner' });

export const listCohortProgress = endpoint({
  name: 'listCohortProgress',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/progress/{journeyId}',
  auth: 'admin',
  capability: 'read-reports',
  extension: true,
  summary: 'List the progress of cohort members in one journey',
  description: '`after` is the id of the last person of the previous page.',
  params: z.object({ id: Uuid, journeyId: Uuid }),
  query: z.object({
    state: z.enum(PROGRESS_STATES, { error: `Must be one of ${PROGRESS_STATES.join(', ')}` }).optional(),
    organization: text({ min: 1, max: 256, name: 'Organisation' }).optional().describe('The exact name, in any case'),
    after: Uuid.optional(),
    limit: limitParam(50, 1000),
  }),
  replies: { 200: z.object({ people: z.array(LearnerProgress), hasMore: z.boolean() }) },
});
