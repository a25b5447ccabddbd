import { leftOut } from '#server/personal-data/define.ts';
import { defineRecords, type RecordKind } from './record.format.ts';

const enrolmentsRecords = defineRecords({
  file: 'enrolments',
  table: 'journey_enrolments',
  about: 'Enrolments with start and completion',
  fields: {
    id: 'id',
    user_id: 'personId',
    journey_key: 'journeyKey',
    locale: 'language',
    status: 'status',
    expires_on: 'expiresOn',
    started_at: 'startedAt',
    completed_at: 'completedAt',
    seen_revision: 'seenRevision',
    metadata: 'metadata',
    extra_time: 'extraTime',
    cohort_id: 'cohortId',
    renewal_begun_at: 'renewalBegunAt',
    renewal_completed_at: 'renewalCompletedAt',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
  },
  order: ['id'],
});

const lessonCompletionsRecords = defineRecords({
  file: 'lesson-completions',
  table: 'lesson_completions',
  about: 'Progress: completed lessons',
  fields: {
    id: 'id',
    user_id: 'personId',
    lesson_key: 'lessonKey',
    locale: 'language',
    completed_at: 'completedAt',
    revision: 'revision',
    progress: 'progress',
    lapsed_at: 'lapsedAt',
  },
  order: ['id'],
});

const assessmentAttemptsRecords = defineRecords({
  file: 'assessment-attempts',
  table: 'assessment_attempts',
  about: 'Attempts at assessments, with questions, keys, answers and marks',
  fields: {
    id: 'id',
    user_id: 'personId',
    lesson_key: 'lessonKey',
    locale: 'language',
    pass_mark: 'passMark',
    review: 'review',
    questions: 'questions',
    answers: 'answers',
    marks: 'marks',
    mark_version: 'markVersion',
    started_at: 'startedAt',
    due_at: 'dueAt',
    submitted_at: 'submittedAt',
    score: 'score',
    passed: 'passed',
    lapsed_at: 'lapsedAt',
  },
  order: ['id'],
});

const evaluationPeopleRecords = defineRecords({
  file: 'evaluation-people',
  table: 'evaluation_people',
  about: 'Who answered or skipped the evaluation of a journey; nothing leads to the answers',
  fields: { user_id: 'personId', journey_key: 'journeyKey', outcome: 'outcome' },
  order: ['user_id', 'journey_key'],
});

const evaluationsRecords = defineRecords({
  file: 'evaluations',
  table: 'evaluations',
  about: 'How many people are counted in the answers to the evaluation of a journey',
  fields: {
    journey_key: 'journeyKey',
    counted: 'counted',
    waiting: leftOut('the answers of fewer than five people, which would tell whose they are'),
  },
  order: ['journey_key'],
});

const evaluationCountsRecords = defineRecords({
  file: 'evaluation-counts',
  table: 'evaluation_counts',
  about: 'Counted answers to a question of an evaluation',
  fields: {
    journey_key: 'journeyKey',
    question_id: 'questionId',
    shape: 'shape',
    question: 'question',
    answers: 'answers',
    counts: 'counts',
  },
  order: ['journey_key', 'question_id', 'shape'],
});

const evaluationTextsRecords = defineRecords({
  file: 'evaluation-texts',
  table: 'evaluation_texts',
  about: 'Typed answers to evaluations, in random order',
  fields: { id: 'id', journey_key: 'journeyKey', question_id: 'questionId', shape: 'shape', body: 'body' },
  order: ['id'],
});

const microcourseCompletionsRecords = defineRecords({
  file: 'microcourse-completions',
  table: 'microcourse_completions',
  about: 'Completed microcourses',
  fields: {
    user_id: 'personId',
    microcourse_id: 'microcourseId',
    completed_at: 'completedAt',
  },
  order: ['user_id', 'microcourse_id'],
});

const credentialKeysRecords = defineRecords({
  file: 'credential-keys',
  table: 'credential_keys',
  about: 'The public keys that verify credentials',
  fields: {
    kid: 'kid',
    public_key: 'publicKey',
    created_at: 'createdAt',
  },
  order: ['kid'],
  mayExist: true,
});

const credentialStatusesRecords = defineRecords({
  file: 'credential-statuses',
  table: 'credential_statuses',
  about: 'The positions of the status list of credentials',
  fields: {
    position: 'position',
    revoked_at: 'revokedAt',
  },
  order: ['position'],
});

const certificatesRecords = defineRecords({
  file: 'certificates',
  table: 'certificates',
  about: 'Certificates; `publicId` is the end of the link that verifies one',
  fields: {
    id: 'id',
    user_id: 'personId',
    journey_key: 'journeyKey',
    public_id: 'publicId',
    name_on_certificate: 'nameOnCertificate',
    course_title: 'courseTitle',
    journey_title: 'journeyTitle',
    locale: 'language',
    lessons: 'lessons',
    minutes: 'minutes',
    issued_at: 'issuedAt',
    expires_at: 'expiresAt',
    follows: 'follows',
    site_version: 'siteVersion',
    issuer: 'issuer',
    assessments: 'assessments',
    status_position: 'statusPosition',
    revoked_at: 'revokedAt',
    revocation_reason: 'revocationReason',
    replaced_by: 'replacedBy',
  },
  order: ['id'],
});

const certificateFilesRecords = defineRecords({
  file: 'certificate-files',
  table: 'certificate_files',
  about: 'The SHA-256 of each issued PDF',
  fields: {
    certificate_id: 'certificateId',
    sha256: 'sha256',
    created_at: 'createdAt',
  },
  order: ['certificate_id', 'sha256'],
});

const eventRegistrationsRecords = defineRecords({
  file: 'event-registrations',
  table: 'event_registrations',
  about: 'Seats, waiting lists and attendance',
  fields: {
    session_id: 'sessionId',
    user_id: 'personId',
    status: 'status',
    created_at: 'createdAt',
    promoted_at: 'promotedAt',
    promotion_told_at: 'promotionToldAt',
    attended_at: 'attendedAt',
    reminded_of: 'remindedOf',
  },
  order: ['session_id', 'user_id'],
});

const paymentsRecords = defineRecords({
  file: 'payments',
  table: 'payments',
  about: 'Payments for journeys at Stripe; those of deleted accounts name nobody',
  fields: {
    id: 'id',
    user_id: 'personId',
    journey_key: 'journeyKey',
    locale: 'language',
    title: 'title',
    amount: 'amount',
    currency: 'currency',
    state: 'state',
    session_id: 'sessionId',
    pay_url: leftOut('a link to pay, which ends within a day'),
    intent: 'intent',
    gave_place: 'gavePlace',
    created_at: 'createdAt',
    updated_at: 'updatedAt',
    checked_at: 'checkedAt',
    paid_at: 'paidAt',
  },
  order: ['id'],
});

const roleAssignmentsRecords = defineRecords({
  file: 'role-assignments',
  table: 'role_assignments',
  about: 'Roles of people in an academy, course, cohort, community or the whole installation',
  fields: {
    id: 'id',
    user_id: 'personId',
    role: 'role',
    kind: 'kind',
    academy_id: 'academyId',
    course_id: 'courseId',
    cohort_id: 'cohortId',
    community_id: 'communityId',
    given_by: 'givenById',
    given_at: 'givenAt',
  },
  order: ['id'],
});

/** In the order in which they are read back. */
export const LEARNING_RECORDS: readonly RecordKind[] = [
  enrolmentsRecords,
  lessonCompletionsRecords,
  assessmentAttemptsRecords,
  evaluationPeopleRecords,
  evaluationsRecords,
  evaluationCountsRecords,
  evaluationTextsRecords,
  microcourseCompletionsRecords,
  credentialKeysRecords,
  credentialStatusesRecords,
  certificatesRecords,
  certificateFilesRecords,
  eventRegistrationsRecords,
  paymentsRecords,
  roleAssignmentsRecords,
];
