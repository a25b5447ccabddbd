import { leftOut } from '#server/personal-data/define.ts';
import { defineRecords, type RecordKind } from './record.format.ts';

const cohortsRecords = defineRecords({
  file: 'cohorts',
  table: 'cohorts',
  about: 'Cohorts',
  fields: {
    id: 'id',
    name: 'name',
    type: 'type',
    primary_partner: 'primaryPartner',
    secondary_partner: 'secondaryPartner',
    notes: 'notes',
    booking_code: 'bookingCode',
    country_code: 'countryCode',
    funder: 'funder',
    support_contact: 'supportContact',
    reminds_of_due_dates: 'remindsOfDueDates',
    enrols_at_once: 'enrolsAtOnce',
    invitation_words: 'invitationWords',
    begins_on: 'beginsOn',
    ends_on: 'endsOn',
    token_key: leftOut('a secret; made anew, so that earlier invitation links end'),
    created_at: 'createdAt',
    updated_at: 'updatedAt',
    archived_at: 'archivedAt',
    deleted_at: 'deletedAt',
  },
  order: ['id'],
});

const cohortProductsRecords = defineRecords({
  file: 'cohort-products',
  table: 'cohort_products',
  about: 'The products of a cohort',
  fields: {
    cohort_id: 'cohortId',
    entry_id: 'entryId',
    position: 'position',
    due_on: 'dueOn',
  },
  order: ['cohort_id', 'entry_id'],
});

const cohortUploadsRecords = defineRecords({
  file: 'cohort-uploads',
  table: 'cohort_uploads',
  about: 'Uploaded lists of addresses, with their result',
  fields: {
    id: 'id',
    cohort_id: 'cohortId',
    slug: 'slug',
    locale: 'language',
    total: 'total',
    waiting: 'waiting',
    added: 'added',
    invited: 'invited',
    already: 'already',
    invalid: 'invalid',
    removed: 'removed',
    withdrawn: 'withdrawn',
    kept: 'kept',
    stopped: 'stopped',
    placed_at: 'placedAt',
    undo_started_at: 'undoStartedAt',
    undo_position: 'undoPosition',
    undo_finished_at: 'undoFinishedAt',
    created_at: 'createdAt',
  },
  order: ['id'],
});

const cohortUploadRowsRecords = defineRecords({
  file: 'cohort-upload-rows',
  table: 'cohort_upload_rows',
  about: 'The addresses of an upload',
  fields: {
    upload_id: 'uploadId',
    position: 'position',
    email: 'email',
    outcome: 'outcome',
    reason: 'reason',
    undone: 'undone',
  },
  order: ['upload_id', 'position'],
});

const cohortMembersRecords = defineRecords({
  file: 'cohort-members',
  table: 'cohort_members',
  about: 'Members of cohorts',
  fields: {
    cohort_id: 'cohortId',
    user_id: 'personId',
    upload_id: 'uploadId',
    by_hand: 'isByHand',
    joined_at: 'joinedAt',
  },
  order: ['cohort_id', 'user_id'],
});

const cohortInvitationsRecords = defineRecords({
  file: 'cohort-invitations',
  table: 'cohort_invitations',
  about: 'Invitations to cohorts',
  fields: {
    id: 'id',
    cohort_id: 'cohortId',
    email: 'email',
    upload_id: 'uploadId',
    by_hand: 'isByHand',
    sent_again_at: 'sentAgainAt',
    times_sent_again: 'timesSentAgain',
    created_at: 'createdAt',
  },
  order: ['id'],
});

const bulkEnrolmentsRecords = defineRecords({
  file: 'bulk-enrolments',
  table: 'bulk_enrolments',
  about: 'Enrolments by e-mail address',
  fields: {
    id: 'id',
    email: 'email',
    type: 'type',
    slug: 'slug',
    journey_slug: 'journeySlug',
    status: 'status',
    expires_on: 'expiresOn',
    metadata: 'metadata',
    user_defaults: 'userDefaults',
    cohort_ids: 'cohortIds',
    granted_at: 'grantedAt',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  order: ['id'],
});

/** In the order in which they are read back. */
export const COHORT_RECORDS: readonly RecordKind[] = [
  cohortsRecords,
  cohortProductsRecords,
  cohortUploadsRecords,
  cohortUploadRowsRecords,
  cohortMembersRecords,
  cohortInvitationsRecords,
  bulkEnrolmentsRecords,
];
