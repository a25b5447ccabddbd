import { z } from 'zod';
import { ASSESSMENT_REVIEWS } from './assessment.ts';
import { LocaleCode, Moment, SlugParam, text, Timestamp, Uuid } from './common.ts';
import { ARTICLE_TAGS, MicrocourseCard } from './content.ts';
import { CourseContact } from './course-contacts.ts';
import { endpoint } from './endpoint.ts';
import { EvaluationState } from './evaluations.ts';
import { Price } from './price.ts';
import { CertificateValidity } from './renewals.ts';

/** Errors of this service, with their status. */
export const learnerErrors = {
  'learner.cannot_enrol': { status: 403, message: 'This journey is not open to you.' },
  'learner.not_enrolled': { status: 403, message: 'Join this journey first.' },
  'learner.enrolment_pending': { status: 403, message: 'Your enrolment in this journey is not confirmed yet.' },
  'learner.enrolment_expired': { status: 403, message: 'Your enrolment in this journey has ended.' },
  'learner.certificate_revoked': { status: 409, message: 'This certificate was withdrawn.' },
  'learner.same_name': { status: 409, message: 'The certificate already has this name.' },
  'learner.corrections_used': {
    status: 409,
    message: 'The name on this certificate was already corrected three times.',
  },
  'learner.answer_missing': { status: 400, message: 'Choose or enter an answer first.' },
  'learner.question_changed': { status: 409, message: 'This question has changed. Reload the page and answer again.' },
  'learner.not_completed': { status: 409, message: 'Complete every mandatory lesson of this journey first.' },
} as const;

export const ENROLMENT_STATUSES = ['created', 'pending', 'enrolled', 'expired'] as const;
export const EnrolmentStatus = z
  .enum(ENROLMENT_STATUSES)
  .describe('`expired` is determined on read, by the database clock');

export const JOURNEY_PRIVACIES = [
  'closed-private',
  'closed-public',
  'open-private',
  'open-public',
  'stripe-private',
  'stripe-public',
] as const;

export const LESSON_EVENTS = ['completed'] as const;

const Count = z.int().min(0);
const Minutes = Count.describe('Minutes');

/** A learner's progress, always computed from the catalogue. */
export const Progress = z
  .object({
    completedLessons: Count,
    completedTime: Minutes,
    mandatoryLessons: Count,
    mandatoryTime: Minutes,
    optional: z.object({ completedLessons: Count, lessons: Count }),
  })
  .describe('The first four count mandatory lessons only; withdrawn lessons are not counted');

const NAME_LENGTH = 100;

/** A printable name: normalised, on one line, without control, direction and other invisible characters. */
export function cleanName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\t\n\v\f\r\u2028\u2029]/g, ' ')
    .replace(/(?![\u200c\u200d])\p{C}/gu, '') // the two joiners are part of the spelling of some scripts
    .replace(/\p{Zs}+/gu, ' ')
    .trim();
}

export const NameOnCertificate = z
  .string()
  .overwrite(cleanName)
  .pipe(text({ min: 1, max: NAME_LENGTH, name: 'Name' }).regex(/[\p{L}\p{N}]/u, 'Name must have at least 1 letter'))
  .describe('The printed name. Control and direction characters are removed.');

/** Converts an account name to the name on its certificate. */
export function toNameOnCertificate(name: string): string {
  return [...cleanName(name)].slice(0, NAME_LENGTH).join('');
}

export const Certificate = z.object({
  id: Uuid,
  certificateUrl: z.url().describe('Public address of the PDF'),
  verificationUrl: z.url().describe('Public address of the verification page'),
  issuedAt: Timestamp,
  nameOnCertificate: z.string(),
});

export const JourneyEnrolment = z.object({
  id: Uuid,
  courseSlug: z.string(),
  journeySlug: z.string(),
  locale: z.string(),
  status: EnrolmentStatus,
  expiresOn: Timestamp.nullable(),
  completedAt: Timestamp.nullable(),
  contentfulMetadata: z.object({ courseId: z.string(), journeyId: z.string() }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const LessonCompletion = z.object({
  id: Uuid,
  courseSlug: z.string(),
  journeySlug: z.string(),
  lessonSlug: z.string(),
  locale: z.string(),
  eventType: z.enum(LESSON_EVENTS),
  contentfulMetadata: z.object({ courseId: z.string(), journeyId: z.string(), lessonId: z.string() }),
  progressSnapshot: Progress.describe('Progress in the journey right after this completion'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const CourseRecord = z.object({
  id: Uuid,
  courseSlug: z.string(),
  journeySlug: z.string(),
  locale: z.string(),
  isEnrolled: z.boolean().describe('The enrolment is active: neither pending nor expired'),
  certificate: Certificate.nullable(),
  contentfulMetadata: z.object({ courseId: z.string(), journeyId: z.string() }),
  stripeMetadata: z.object({ bulkEnrolment: z.boolean(), cohortIds: z.array(z.string()) }),
  expiresOn: Timestamp.nullable(),
  completedAt: Timestamp.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** Client-supplied values that are accepted and ignored. */
const Hint = z.looseObject({}).nullish().describe('Ignored; the recorded values come from the catalogue');

// Older operations.

export const listMyCourses = endpoint({
  name: 'listMyCourses',
  service: 'learner',
  method: 'GET',
  path: '/learners/me/courses',
  auth: 'user',
  summary: 'List my course records (older)',
  description: 'One record per journey I am enrolled in, newest first. An unknown `courseSlug` returns an empty list.',
  query: z.object({ courseSlug: SlugParam.optional() }),
  replies: { 200: z.object({ courses: z.array(CourseRecord), total: Count }) },
});

export const listMyJourneys = endpoint({
  name: 'listMyJourneys',
  service: 'learner',
  method: 'GET',
  path: '/learners/me/journeys',
  auth: 'user',
  summary: 'List my journey enrolments (older)',
  description: 'Newest first, with any status.',
  replies: { 200: z.object({ journeys: z.array(JourneyEnrolment), total: Count }) },
});

export const enrolMyself = endpoint({
  name: 'enrolMyself',
  service: 'learner',
  method: 'POST',
  path: '/learners/me/journeys',
  auth: 'user',
  summary: 'Enrol in a journey (older)',
  description:
    'Only for journeys open to the caller; a journey has the permissions of its course until an administrator sets its own. An existing enrolment is returned unchanged. An ended enrolment is resumed with its progress if the journey is open to the caller, else 403. `expiresOn` and `contentfulMetadata` are ignored: users cannot set the end of their own enrolment.',
  body: z.object({
    courseSlug: SlugParam,
    journeySlug: SlugParam,
    locale: LocaleCode.optional(),
    expiresOn: Moment.nullish(),
    contentfulMetadata: Hint,
  }),
  replies: { 201: JourneyEnrolment },
  errors: ['learner.cannot_enrol', 'learner.enrolment_expired', 'learner.enrolment_pending', 'request.not_found'],
});

export const listMyLessons = endpoint({
  name: 'listMyLessons',
  service: 'learner',
  method: 'GET',
  path: '/learners/me/lessons',
  auth: 'user',
  summary: 'List my lesson completions, newest first (older)',
  replies: { 200: z.object({ lessons: z.array(LessonCompletion), total: Count }) },
});

/** The body of both operations that record a completion. */
export const LessonRecord = z.object({
  courseSlug: SlugParam,
  journeySlug: SlugParam,
  lessonSlug: SlugParam,
  locale: LocaleCode.optional(),
  eventType: z.enum(LESSON_EVENTS),
  contentfulMetadata: Hint,
  progressSnapshot: Hint,
});

export const recordMyLesson = endpoint({
  name: 'recordMyLesson',
  service: 'learner',
  method: 'POST',
  path: '/learners/me/lessons',
  auth: 'user',
  summary: 'Record a lesson completion (older)',
  description:
    'Equivalent to completing the lesson. `progressSnapshot` and `contentfulMetadata` are ignored; the reply contains the computed values. For a lesson completed before, the first record is returned.',
  body: LessonRecord,
  replies: { 201: LessonCompletion },
  errors: [
    'learner.not_passed',
    'learner.not_enrolled',
    'learner.enrolment_pending',
    'learner.enrolment_expired',
    'request.not_found',
  ],
});

// Newer operations.

const JourneyPath = z.object({ courseSlug: SlugParam, journeySlug: SlugParam });

export const MyJourney = z.object({
  journeySlug: z.string(),
  title: z.string(),
  status: EnrolmentStatus,
  expiresOn: Timestamp.nullable(),
  completedAt: Timestamp.nullable().describe('Set once, when the last mandatory lesson is completed; never reset'),
  certificate: Certificate.nullable(),
  progress: Progress,
});

export const listMyJourneysOfCourse = endpoint({
  name: 'listMyJourneysOfCourse',
  service: 'learner',
  method: 'GET',
  path: '/me/courses/{courseSlug}/journeys',
  auth: 'user',
  summary: 'List my journeys in a course with progress',
  description:
    'Journeys of this course I am enrolled in, with any status; may be empty. 404 for a course that is hidden from me and that I was never enrolled in.',
  params: z.object({ courseSlug: SlugParam }),
  query: z.object({ locale: LocaleCode.optional() }),
  replies: { 200: z.object({ journeys: z.array(MyJourney), total: Count }) },
});

export const completeLesson = endpoint({
  name: 'completeLesson',
  service: 'learner',
  method: 'PUT',
  path: '/me/courses/{courseSlug}/journeys/{journeySlug}/lessons/{lessonSlug}/completion',
  auth: 'user',
  summary: 'Complete a lesson (idempotent)',
  description:
    'Needs an active enrolment, also in an open journey. Completing the last mandatory lesson completes the journey permanently. A lesson with an assessment is completed by passing it, else 409. A withdrawn lesson is 404.',
  params: JourneyPath.extend({ lessonSlug: SlugParam }),
  replies: { 204: null },
  errors: ['learner.not_passed', 'learner.not_enrolled', 'learner.enrolment_pending', 'learner.enrolment_expired'],
});

export const issueMyCertificate = endpoint({
  name: 'issueMyCertificate',
  service: 'learner',
  method: 'PUT',
  path: '/me/courses/{courseSlug}/journeys/{journeySlug}/certificate',
  auth: 'user',
  summary: 'Issue (201) or return (200) my certificate',
  description:
    'There is one certificate per user and journey, whichever operation asks for it, until a completed renewal (`renewMyCertificate`) is followed by the next. The name is fixed when it is first issued: `nameOnCertificate`, or the account name. Titles, lessons and minutes come from the catalogue at that time; completed lessons that were withdrawn since still count. An ended enrolment keeps the right to a certificate for a completed journey. A journey without mandatory lessons has no certificate.',
  params: JourneyPath,
  body: z.object({ nameOnCertificate: NameOnCertificate.optional(), locale: LocaleCode.optional() }),
  replies: { 200: z.object({ certificate: Certificate }), 201: z.object({ certificate: Certificate }) },
  errors: ['learner.not_completed'],
});

// Extensions for the pages.

export const REVOCATION_REASONS = ['name_corrected', 'issued_in_error', 'not_earned', 'other'] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];
const RevocationReason = z.enum(REVOCATION_REASONS).describe('name_corrected: replaced by a corrected certificate');

const Picture = z.object({ url: z.string(), width: z.int(), height: z.int() });

export const verifyCertificate = endpoint({
  name: 'verifyCertificate',
  service: 'learner',
  method: 'GET',
  path: '/certificates/{publicId}',
  auth: 'none',
  extension: true,
  summary: 'Verify a certificate',
  description:
    'Returns every claim as recorded at issue. A revoked certificate has the status `revoked`, one whose time has ended `expired`; an unknown one is 404.',
  params: z.object({ publicId: z.string().min(1).max(128) }),
  replies: {
    200: z.object({
      certificate: z.object({
        publicId: z.string(),
        status: z.enum(['valid', 'expired', 'revoked']),
        nameOnCertificate: z.string(),
        courseTitle: z.string(),
        journeyTitle: z.string(),
        courseSlug: z.string().nullable().describe('null when the course is not public'),
        lessons: Count.describe('Completed mandatory lessons'),
        minutes: Minutes,
        locale: z.string(),
        issuer: z.string(),
        issuedAt: Timestamp,
        expiresAt: Timestamp.nullable().describe('The end of a day in UTC; null: valid without end'),
        follows: z
          .object({ publicId: z.string(), verificationUrl: z.url() })
          .nullable()
          .describe('The certificate in the same name that it renews'),
        assessments: z
          .array(
            z.object({
              title: z.string(),
              passMark: z.int().describe('Percent of right answers needed'),
              passedAt: Timestamp,
            }),
          )
          .describe('Assessments that it rests on; empty for none, and for certificates from before they stated any'),
        revokedAt: Timestamp.nullable(),
        revocationReason: RevocationReason.nullable(),
        design: z
          .object({
            colour: z.string().nullable(),
            logo: Picture.nullable(),
            seal: Picture.nullable(),
            signatures: z.array(z.object({ name: z.string(), office: z.string(), picture: Picture.nullable() })),
          })
          .nullable()
          .describe('How it looked when it was issued; null: the look of the product'),
        certificateUrl: z.url(),
        verificationUrl: z.url(),
        credentialUrl: z.url().describe('Open Badges 3.0 credential as a signed JWT'),
        badgeUrl: z.url().describe('SVG badge that contains the credential'),
      }),
    }),
  },
});

export const checkCertificateFile = endpoint({
  name: 'checkCertificateFile',
  service: 'learner',
  method: 'GET',
  path: '/certificates/{publicId}/files/{sha256}',
  auth: 'none',
  extension: true,
  summary: 'Check whether a file is the genuine PDF of a certificate',
  description:
    'Compares the SHA-256 of the file, in hexadecimal; the file itself is not sent. Every PDF ever issued is recognised, also for certificates revoked since.',
  params: z.object({
    publicId: z.string().min(1).max(128),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'Must be a SHA-256 in hexadecimal digits')
      .toLowerCase(),
  }),
  replies: { 200: z.object({ matches: z.boolean() }) },
});

export const correctMyCertificate = endpoint({
  name: 'correctMyCertificate',
  service: 'learner',
  method: 'POST',
  path: '/me/certificates/{publicId}/corrections',
  auth: 'user',
  extension: true,
  summary: 'Correct the name on my certificate',
  description:
    'Issues a new certificate with the same claims and date and revokes the old one, which does not link to it. At most three times.',
  params: z.object({ publicId: z.string().min(1).max(128) }),
  body: z.object({ nameOnCertificate: NameOnCertificate }),
  replies: { 201: z.object({ certificate: Certificate }) },
  errors: [
    'learner.certificate_revoked',
    'learner.certificate_replaced',
    'learner.same_name',
    'learner.corrections_used',
    'request.not_found',
  ],
});

export const revokeCertificate = endpoint({
  name: 'revokeCertificate',
  service: 'learner',
  method: 'POST',
  path: '/certificates/{publicId}/revocations',
  auth: 'admin',
  extension: true,
  summary: 'Revoke a certificate',
  description:
    'Permanent. The verification page says so, PDF and credential are no longer available, and the public status list contains it. Revoking it again changes nothing.',
  params: z.object({ publicId: z.string().min(1).max(128) }),
  body: z.object({
    reason: z.enum(['issued_in_error', 'not_earned', 'other'], {
      error: 'Must be one of issued_in_error, not_earned, other',
    }),
  }),
  replies: { 204: null },
  errors: ['request.not_found'],
});

export const Cover = z
  .object({ url: z.string(), alt: z.string() })
  .describe('null: the page generates a cover from the slug');

const LessonLink = z.object({ slug: z.string(), title: z.string() });

export const Changes = z
  .object({
    revision: Count.describe('Revision to pass to `seeMyChanges`'),
    added: z.array(LessonLink).describe('Lessons added since, and not completed yet'),
    changed: z.array(LessonLink).describe('Completed lessons whose text has changed in the language they were read in'),
    removed: Count.describe('Number of completed lessons no longer in the journey; their completions stay recorded'),
  })
  .meta({ id: 'JourneyChanges' });

export const MyLearning = MyJourney.extend({
  changes: Changes.nullable().describe(
    'Changes since I completed the journey; null when there are none or it is not completed',
  ),
  course: z.object({ slug: z.string(), title: z.string(), cover: Cover.nullable() }),
  dueOn: z.iso.date().nullable().describe('Due date set by one of my cohorts'),
  isWithdrawn: z
    .boolean()
    .describe('The journey or its course was withdrawn, so its pages are 404; progress and certificate stay'),
  enrolledAt: Timestamp,
  validity: CertificateValidity.nullable().describe(
    'null without a certificate, and for one that was revoked or does not expire',
  ),
  evaluation: EvaluationState.nullable().describe('null until I complete the journey, and for one without evaluation'),
  lastActivityAt: Timestamp.describe('Time of the last completion, or of the enrolment'),
  minutesLeft: Minutes.describe('Minutes of mandatory lessons not yet completed'),
  nextLesson: LessonLink.extend({ minutes: Minutes })
    .nullable()
    .describe(
      'The first uncompleted mandatory lesson, else the first uncompleted optional one; null when there is none or the enrolment is not active',
    ),
});

export const readMyLearning = endpoint({
  name: 'readMyLearning',
  service: 'learner',
  method: 'GET',
  path: '/me/learning',
  auth: 'user',
  extension: true,
  summary: 'List all my journeys with progress, next lesson and certificate',
  description: 'Most recently active first.',
  query: z.object({ locale: LocaleCode.optional() }),
  replies: { 200: z.object({ journeys: z.array(MyLearning), total: Count }) },
});

export const Assignment = z
  .object({
    kind: z.enum(['journey', 'microcourse']),
    slug: z.string().describe('Of the journey or microcourse'),
    title: z.string(),
    course: z.object({ slug: z.string(), title: z.string() }).nullable().describe('null for a microcourse'),
    cover: Cover.nullable(),
    minutes: Minutes.describe('Of its mandatory lessons, or of the microcourse'),
    cohort: z
      .object({
        name: z.string(),
        beginsOn: z.iso.date().optional().describe('The first day of the cohort, until then'),
      })
      .describe('Asks for it; the one with the earliest due date'),
    dueOn: z.iso.date().nullable(),
  })
  .meta({ id: 'Assignment' });

export const listMyAssignments = endpoint({
  name: 'listMyAssignments',
  service: 'learner',
  method: 'GET',
  path: '/me/assignments',
  auth: 'user',
  extension: true,
  summary: 'List what my cohorts ask me to take and I have not begun',
  description:
    'Journeys without an enrolment of mine and microcourses that I have not completed, the earliest due date first. I may enrol in each of them. Archived cohorts ask for nothing.',
  query: z.object({ locale: LocaleCode.optional() }),
  replies: { 200: z.object({ assignments: z.array(Assignment) }) },
});

export const listMyMicrocourses = endpoint({
  name: 'listMyMicrocourses',
  service: 'learner',
  method: 'GET',
  path: '/me/microcourses',
  auth: 'user',
  extension: true,
  summary: 'List the microcourses I completed',
  description: 'Last completed first. Microcourses that I may no longer see are left out.',
  query: z.object({ locale: LocaleCode.optional() }),
  replies: {
    200: z.object({ microcourses: z.array(MicrocourseCard.extend({ completedAt: Timestamp })), total: Count }),
  },
});

export const completeMicrocourse = endpoint({
  name: 'completeMicrocourse',
  service: 'learner',
  method: 'PUT',
  path: '/me/microcourses/{slug}/completion',
  auth: 'user',
  extension: true,
  summary: 'Complete a microcourse (idempotent)',
  description: 'Needs no enrolment. Completing again changes nothing. 404 for a microcourse that I may not see.',
  params: z.object({ slug: SlugParam }),
  replies: { 204: null },
  errors: ['request.not_found'],
});

export const seeMyChanges = endpoint({
  name: 'seeMyChanges',
  service: 'learner',
  method: 'PUT',
  path: '/me/courses/{courseSlug}/journeys/{journeySlug}/changes',
  auth: 'user',
  extension: true,
  summary: 'Acknowledge the changes to a completed journey',
  description:
    'Changes up to `revision` are no longer listed; later ones are. Completions are not affected. A revision older than the last acknowledged one changes nothing.',
  params: JourneyPath,
  body: z.object({ revision: Count.max(2_147_483_647) }),
  replies: { 204: null },
  errors: ['learner.not_enrolled', 'request.not_found'],
});

export const WAYS_IN = ['open', 'sign-in', 'verification', 'invitation', 'payment'] as const;
export const WayIn = z
  .enum(WAYS_IN)
  .describe(
    'How to get enrolled. open: enrol now · sign-in: with an account · verification: as a confirmed public servant · invitation: through a cohort or an administrator · payment: with an entitlement',
  );

const OutlineLesson = LessonLink.extend({
  minutes: Minutes,
  mandatory: z.boolean(),
  completed: z.boolean(),
  readable: z.boolean().describe('The caller may open it: enrolled, or it is the preview'),
});
const OutlineSection = z.object({ heading: z.string(), lessons: z.array(OutlineLesson) });

/** An enrolment as shown on the journey's page. */
const EnrolmentSummary = z.object({
  status: EnrolmentStatus,
  expiresOn: Timestamp.nullable(),
  completedAt: Timestamp.nullable(),
});

export const CourseJourney = z.object({
  slug: z.string(),
  title: z.string(),
  privacy: z.enum(JOURNEY_PRIVACIES),
  minutes: Minutes.describe('Minutes of all lessons, including optional ones'),
  lessons: Count.describe('Number of lessons'),
  enrolment: EnrolmentSummary.nullable(),
  canEnrol: z.boolean().describe('The caller can enrol now; false when enrolled'),
  wayIn: WayIn,
  price: Price.nullable().describe('null unless the journey can be bought here'),
  canBuy: z.boolean().describe('The caller can buy it now'),
  progress: Progress.nullable().describe('null without an enrolment'),
  certificate: Certificate.nullable(),
  validity: CertificateValidity.nullable(),
  changes: Changes.nullable().describe(
    'Changes since I completed the journey; null when there are none or it is not completed',
  ),
  sections: z.array(OutlineSection),
});

export const readCourse = endpoint({
  name: 'readCourse',
  service: 'learner',
  method: 'GET',
  path: '/courses/{courseSlug}',
  auth: 'none',
  extension: true,
  summary: 'Read a course with its journeys, outline and my progress',
  description: 'Texts are in the language of the request or the nearest fallback. Hidden journeys are omitted.',
  params: z.object({ courseSlug: SlugParam }),
  query: z.object({ locale: LocaleCode.optional() }),
  replies: {
    200: z.object({
      course: z.object({
        id: z.string(),
        slug: z.string(),
        type: z.enum(['Public', 'Private']),
        title: z.string(),
        summary: z.string(),
        shownLocale: LocaleCode.describe('Language of the title'),
        locales: z.array(LocaleCode).describe('Languages in which every lesson with a text is available'),
        humanTranslation: z.boolean(),
        cover: Cover.nullable(),
        topics: z.array(z.enum(ARTICLE_TAGS)),
        contacts: z.array(CourseContact).describe('Who runs the course, in order'),
        academies: z.array(LessonLink),
        journeys: z.array(CourseJourney),
      }),
    }),
  },
});

const LessonAssessment = z
  .object({
    questions: Count.describe('Questions of an attempt'),
    passMark: z.int().describe('Percent of right answers'),
    attempts: z.int().nullable().describe('Attempts allowed; null: any number'),
    attemptsUsed: Count,
    minutes: z.int().nullable().describe('Time limit, with the extra time of the caller; null: none'),
    review: z.enum(ASSESSMENT_REVIEWS),
    best: z.int().nullable().describe('My best score in percent'),
    passed: z.boolean(),
    openAttempt: Uuid.nullable(),
    lastAttempt: Uuid.nullable(),
    waits: z.boolean().describe('My last attempt waits to be marked'),
  })
  .meta({ id: 'LessonAssessment' });

export const readLesson = endpoint({
  name: 'readLesson',
  service: 'learner',
  method: 'GET',
  path: '/courses/{courseSlug}/journeys/{journeySlug}/lessons/{lessonSlug}',
  auth: 'none',
  extension: true,
  summary: 'Read a lesson with its outline and my progress',
  description:
    'For enrolled users and administrators. The first lesson of an open-public journey is a preview for everyone who may see the course. For any other lesson, visitors get 401 and signed-in users who are not enrolled 403.',
  params: JourneyPath.extend({ lessonSlug: SlugParam }),
  query: z.object({ locale: LocaleCode.optional() }),
  replies: {
    200: z.object({
      course: z.object({ id: z.string(), slug: z.string(), title: z.string(), humanTranslation: z.boolean() }),
      journey: z.object({
        id: z.string(),
        slug: z.string(),
        title: z.string(),
        enrolment: EnrolmentSummary.nullable(),
        canEnrol: z.boolean(),
        wayIn: WayIn,
        progress: Progress.nullable(),
        certificate: Certificate.nullable(),
        validity: CertificateValidity.nullable(),
        sections: z.array(OutlineSection),
      }),
      lesson: z.object({
        id: z.string(),
        slug: z.string(),
        title: z.string(),
        titleLocale: LocaleCode.describe('Language of the title'),
        minutes: Minutes,
        mandatory: z.boolean(),
        completed: z.boolean(),
        completedAt: Timestamp.nullable(),
        preview: z.boolean().describe('Shown as a preview to a user who is not enrolled'),
        html: z
          .string()
          .describe(
            'Sanitised HTML; empty when the lesson has no text. Questions are forms without their key; checkAnswer checks answers.',
          ),
        headings: z.array(z.object({ level: z.int(), id: z.string(), text: z.string() })),
        shownLocale: LocaleCode.nullable().describe('Language of the text; null without one'),
        locales: z.array(LocaleCode).describe('Languages the text is available in'),
        previous: LessonLink.nullable(),
        next: LessonLink.nullable(),
        discussion: z
          .object({
            question: z.string().nullable().describe('The opening question, if the lesson has one'),
            activityId: Uuid.nullable().describe('Id of the discussion, if one was opened'),
            canOpen: z.boolean().describe('The caller may open one'),
          })
          .nullable()
          .describe('null in a preview'),
        assessment: LessonAssessment.nullable().describe('null: reading completes the lesson'),
      }),
    }),
  },
  errors: [
    'learner.not_enrolled',
    'learner.enrolment_pending',
    'learner.enrolment_expired',
    'auth.required',
    'auth.forbidden',
  ],
});
