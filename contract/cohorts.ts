import { z } from 'zod';
import { Upload } from './admin.ts';
import { EntryId, limitParam, Slug, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

// What the administration of cohorts needs beyond the customer's contract: taking back, files, sending again, progress.

/** Reasons these operations refuse a request, with their status. */
export const cohortErrors = {
  'admin.file_unreadable': { status: 400, message: 'The file is no table that can be read: CSV and XLSX can.' },
  'admin.file_too_large': { status: 413, message: 'The file is too large: at most 8 MB, or 64 MB unpacked.' },
  'admin.file_too_many_rows': { status: 400, message: 'The file has too many rows: at most 100 000.' },
  'admin.file_no_addresses': { status: 400, message: 'There is no e-mail address in it.' },
  'admin.undo_too_late': { status: 409, message: 'An upload can be taken back for 30 days.' },
  'admin.invited_lately': { status: 409, message: 'This address was written to less than 24 hours ago.' },
} as const;

export const MAX_FILE_BYTES = 8 * 1024 * 1024;
export const MAX_FILE_ROWS = 100_000;
/** How long a file that was read waits to be confirmed. */
export const DRAFT_MINUTES = 60;
/** So long an upload can be taken back. */
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
  summary: 'what a cohort may be',
  replies: { 200: z.object({ types: z.array(z.string()) }) },
});

// ----------------------------------------------------------------------------------------- members and invitations

export const removeCohortMember = endpoint({
  name: 'removeCohortMember',
  service: 'admin',
  method: 'DELETE',
  path: '/cohorts/{id}/users/{userId}',
  auth: 'admin',
  extension: true,
  summary: 'take a member out of a cohort',
  description:
    'Ends what only this cohort let them into: its products, and their places in its journeys that nothing else gives ' +
    'them. Progress and certificates stay, and so do places in communities.',
  params: z.object({ id: Uuid, userId: Uuid }),
  replies: { 204: null },
});

export const withdrawInvitation = endpoint({
  name: 'withdrawInvitation',
  service: 'admin',
  method: 'DELETE',
  path: '/cohorts/{id}/invitations/{invitationId}',
  auth: 'admin',
  extension: true,
  summary: 'withdraw an invitation',
  description: 'Its mail is not sent if it still waits.',
  params: z.object({ id: Uuid, invitationId: Uuid }),
  replies: { 204: null },
});

const Invitation = z
  .object({
    id: Uuid,
    email: z.string(),
    name: z.string().describe('Empty while the address has no account'),
    createdAt: Timestamp,
    sentAt: Timestamp.describe('When it was last written'),
    timesSentAgain: Count,
    canSendAgain: z.boolean().describe('The last mail is more than 24 hours old'),
  })
  .meta({ id: 'Invitation' });

export const searchInvitations = endpoint({
  name: 'searchInvitations',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/invitation-mails',
  auth: 'admin',
  extension: true,
  summary: 'who is invited, and when they were written to',
  description:
    'Oldest first; `after` is the id of the last one of the page before. `match` is the beginning of an address.',
  params: cohortParams,
  query: z.object({
    match: text({ max: 256, name: 'Match' }).optional(),
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
    total: Count.describe('Invitations to look at'),
    done: Count.describe('Looked at'),
    sent: Count.describe('Written to again; the others had a mail within 24 hours'),
  })
  .meta({ id: 'Resend' });

export const resendInvitations = endpoint({
  name: 'resendInvitations',
  service: 'admin',
  method: 'POST',
  path: '/cohorts/{id}/resends',
  auth: 'admin',
  extension: true,
  summary: 'send invitations again',
  description:
    'All of the cohort, of one of its uploads, or one. Nobody is written to twice within 24 hours, whatever cohort invites ' +
    'them. While one such task of the cohort runs, asking again answers that one.',
  params: cohortParams,
  body: z.object({ uploadId: Uuid.optional(), invitationId: Uuid.optional() }),
  replies: { 202: Resend },
  errors: ['admin.invited_lately'],
});

export const listResends = endpoint({
  name: 'listResends',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/resends',
  auth: 'admin',
  extension: true,
  summary: 'how far sending again is, newest first',
  params: cohortParams,
  query: z.object({ limit: limitParam(5) }),
  replies: { 200: z.object({ resends: z.array(Resend) }) },
});

// --------------------------------------------------------------------------------------------------------- products

const productParams = z.object({ id: Uuid, entryId: EntryId });
const DueOn = z.iso.date('Must be a date').nullable();

export const attachCohortProduct = endpoint({
  name: 'attachCohortProduct',
  service: 'admin',
  method: 'PUT',
  path: '/cohorts/{id}/products/{entryId}',
  auth: 'admin',
  extension: true,
  summary: 'attach one product to a cohort, or set until when it is to be finished',
  description:
    'The others stay, whoever changes them meanwhile. `dueOn` left out leaves the day as it is; null clears it. What is no ' +
    'registered product is 404.',
  params: productParams,
  body: z.object({ dueOn: DueOn.optional() }),
  replies: { 204: null },
});

export const detachCohortProduct = endpoint({
  name: 'detachCohortProduct',
  service: 'admin',
  method: 'DELETE',
  path: '/cohorts/{id}/products/{entryId}',
  auth: 'admin',
  extension: true,
  summary: 'take one product from a cohort',
  description: 'Its members lose what only this product let them into. Places they took, and progress, stay.',
  params: productParams,
  replies: { 204: null },
});

export const listDueDates = endpoint({
  name: 'listDueDates',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/due-dates',
  auth: 'admin',
  extension: true,
  summary: 'until when the products of a cohort are to be finished',
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
    column: Count.describe('The one with the addresses, from 0'),
    rows: Count.describe('Rows with something in them, without a heading'),
    addresses: Count.describe('Distinct ones'),
    fresh: Count.describe('Would be added or invited'),
    already: Count.describe('Are members or invited'),
    inactive: Count.describe('Belong to an inactive account'),
    repeated: Count.describe('Rows that repeat an address'),
    wrong: Count.describe('Rows without an address'),
    wrongRows: z
      .array(z.object({ row: z.int(), value: z.string(), reason: z.enum(['missing', 'malformed']) }))
      .describe(`The first ${WRONG_ROWS_KEPT}`),
    uploadId: Uuid.nullable().describe('What confirming it began'),
  })
  .meta({ id: 'UploadDraft' });

export const readUploadFile = endpoint({
  name: 'readUploadFile',
  service: 'admin',
  method: 'POST',
  path: '/cohorts/{id}/drafts',
  auth: 'admin',
  extension: true,
  summary: 'read a file of addresses and say what uploading it would do',
  description:
    'Nothing is written but the file, which waits an hour for its administrator to confirm it. CSV with commas, semicolons or ' +
    'tabs in UTF-8, UTF-16 or Windows-1252, or XLSX; at most 8 MB and 100 000 rows.',
  params: cohortParams,
  upload: 'file',
  bodyLimit: MAX_FILE_BYTES + 64 * 1024,
  replies: { 201: Draft },
  errors: ['admin.file_unreadable', 'admin.file_too_large', 'admin.file_too_many_rows', 'admin.file_no_addresses'],
});

const draftParams = z.object({ id: Uuid, draftId: Uuid });

export const readUploadDraft = endpoint({
  name: 'readUploadDraft',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/drafts/{draftId}',
  auth: 'admin',
  extension: true,
  summary: 'what uploading a file would do',
  description: 'Only for who brought it, for an hour.',
  params: draftParams,
  replies: { 200: Draft },
});

export const chooseDraftColumn = endpoint({
  name: 'chooseDraftColumn',
  service: 'admin',
  method: 'PUT',
  path: '/cohorts/{id}/drafts/{draftId}',
  auth: 'admin',
  extension: true,
  summary: 'take the addresses from another column of the file',
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
  extension: true,
  summary: 'upload the addresses of a file that was read',
  description: 'Rows without an address are left out. Confirming twice is one upload.',
  params: draftParams,
  body: z.object({ slug: Slug.describe('A label') }),
  replies: { 202: Upload },
});

const uploadParams = z.object({ id: Uuid, uploadId: Uuid });

export const readUpload = endpoint({
  name: 'readUpload',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/uploads/{uploadId}',
  auth: 'admin',
  extension: true,
  summary: 'how far an upload is, and taking it back',
  params: uploadParams,
  replies: { 200: Upload },
});

export const undoUpload = endpoint({
  name: 'undoUpload',
  service: 'admin',
  method: 'POST',
  path: '/cohorts/{id}/uploads/{uploadId}/undo',
  auth: 'admin',
  extension: true,
  summary: 'take back the members and invitations an upload made',
  description:
    'Within 30 days, with the name of the cohort. Who was a member or invited before, or is by another upload, by hand or by ' +
    'an enrolment too, stays. Places in the journeys of the cohort end as when a member is removed; progress and certificates ' +
    'stay. Mails that still wait are not sent. It runs as a job; asking again answers how far it is.',
  params: uploadParams,
  body: z.object({ name: z.string().max(1000) }),
  replies: { 202: Upload },
  errors: ['admin.undo_too_late'],
});

// --------------------------------------------------------------------------------------------------------- progress

export const PROGRESS_STATES = ['not-started', 'started', 'finished', 'late'] as const;
const JourneyProgress = z
  .object({
    id: Uuid.describe('Of the journey'),
    entryId: EntryId.describe('The product by which the cohort has it'),
    title: z.string(),
    course: z.string(),
    dueOn: z.iso.date().nullable(),
    notStarted: Count,
    started: Count.describe('Finished a lesson, not the journey'),
    finished: Count,
    late: Count.describe('Not finished after the day it was due'),
  })
  .meta({ id: 'CohortProgress' });

export const readCohortProgress = endpoint({
  name: 'readCohortProgress',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/progress',
  auth: 'admin',
  extension: true,
  summary: 'how far the members of a cohort are in its journeys',
  params: cohortParams,
  replies: { 200: z.object({ members: Count, journeys: z.array(JourneyProgress) }) },
});

const LearnerProgress = z
  .object({
    id: Uuid,
    name: z.string(),
    email: z.string(),
    state: z.enum(['not-started', 'started', 'finished']),
    isLate: z.boolean(),
    startedAt: Timestamp.nullable(),
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: 'CohortLearner' });

export const listCohortProgress = endpoint({
  name: 'listCohortProgress',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/progress/{journeyId}',
  auth: 'admin',
  extension: true,
  summary: 'the members of a cohort and how far each is in one of its journeys',
  description: '`after` is the id of the last person of the page before.',
  params: z.object({ id: Uuid, journeyId: Uuid }),
  query: z.object({
    state: z.enum(PROGRESS_STATES, { error: `Must be one of ${PROGRESS_STATES.join(', ')}` }).optional(),
    after: Uuid.optional(),
    limit: limitParam(50, 1000),
  }),
  replies: { 200: z.object({ people: z.array(LearnerProgress), hasMore: z.boolean() }) },
});
