import { z } from 'zod';
import { LocaleCode, Moment, SlugParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Reasons this service refuses a request, with their status. */
export const learnerErrors = {
  'learner.cannot_enrol': { status: 403, message: 'This journey is not open to you.' },
  'learner.not_enrolled': { status: 403, message: 'Join this journey first.' },
  'learner.enrolment_pending': { status: 403, message: 'Your place in this journey is not confirmed yet.' },
  'learner.enrolment_expired': { status: 403, message: 'Your enrolment in this journey has ended.' },
  'learner.certificate_revoked': { status: 409, message: 'This certificate was withdrawn.' },
  'learner.same_name': { status: 409, message: 'This name is on the certificate already.' },
  'learner.corrections_used': {
    status: 409,
    message: 'The name on this certificate was corrected three times already.',
  },
  'learner.not_completed': { status: 409, message: 'Complete every mandatory lesson of this journey first.' },
} as const;

export const ENROLMENT_STATUSES = ['created', 'pending', 'enrolled', 'expired'] as const;
export const EnrolmentStatus = z
  .enum(ENROLMENT_STATUSES)
  .describe('`expired` is decided when it is read, by the clock of the database');

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

/** How far a learner is, always counted from the catalogue. */
export const Progress = z
  .object({
    completedLessons: Count,
    completedTime: Minutes,
    mandatoryLessons: Count,
    mandatoryTime: Minutes,
    optional: z.object({ completedLessons: Count, lessons: Count }),
  })
  .describe('The first four count mandatory lessons; withdrawn lessons count nowhere');

const NAME_LENGTH = 100;

/** A name as it may be printed: composed, on one line, without control, direction and other unseen characters. */
export function cleanName(name: string): string {
  return name
    .normalize('NFC')
    .replace(/[\t\n\v\f\r\u2028\u2029]/g, ' ')
    .replace(/(?![\u200c\u200d])\p{C}/gu, '') // the two joiners belong to the spelling of some scripts
    .replace(/\p{Zs}+/gu, ' ')
    .trim();
}

export const NameOnCertificate = z
  .string()
  .overwrite(cleanName)
  .pipe(text({ min: 1, max: NAME_LENGTH, name: 'Name' }).regex(/[\p{L}\p{N}]/u, 'Name must have at least 1 letter'))
  .describe('As it is to be printed. Control and direction characters are removed.');

/** The name of an account as the name on its certificate. */
export function toNameOnCertificate(name: string): string {
  return [...cleanName(name)].slice(0, NAME_LENGTH).join('');
}

export const Certificate = z.object({
  id: Uuid,
  certificateUrl: z.url().describe('The PDF; public'),
  verificationUrl: z.url().describe('The page that confirms it; public'),
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
  progressSnapshot: Progress.describe('The progress in the journey right after this lesson was completed'),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const CourseRecord = z.object({
  id: Uuid,
  courseSlug: z.string(),
  journeySlug: z.string(),
  locale: z.string(),
  isEnrolled: z.boolean().describe('Enrolled now: neither waiting nor expired'),
  certificate: Certificate.nullable(),
  contentfulMetadata: z.object({ courseId: z.string(), journeyId: z.string() }),
  stripeMetadata: z.object({ bulkEnrolment: z.boolean(), cohortIds: z.array(z.string()) }),
  expiresOn: Timestamp.nullable(),
  completedAt: Timestamp.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

/** What a client says beside the point: taken, never believed. */
const Hint = z.looseObject({}).nullish().describe('A hint; what is recorded comes from the catalogue');

// Older.

export const listMyCourses = endpoint({
  name: 'listMyCourses',
  service: 'learner',
  method: 'GET',
  path: '/learners/me/courses',
  auth: 'user',
  summary: 'my course records (older)',
  description:
    'One record for each journey I have a place in, newest first. An unknown `courseSlug` gives an empty list.',
  query: z.object({ courseSlug: SlugParam.optional() }),
  replies: { 200: z.object({ courses: z.array(CourseRecord), total: Count }) },
});

export const listMyJourneys = endpoint({
  name: 'listMyJourneys',
  service: 'learner',
  method: 'GET',
  path: '/learners/me/journeys',
  auth: 'user',
  summary: 'my journey enrolments (older)',
  description: 'Newest first, whatever their status.',
  replies: { 200: z.object({ journeys: z.array(JourneyEnrolment), total: Count }) },
});

export const enrolMyself = endpoint({
  name: 'enrolMyself',
  service: 'learner',
  method: 'POST',
  path: '/learners/me/journeys',
  auth: 'user',
  summary: 'enrol in a journey (older)',
  description:
    'Only journeys open to the caller; the permissions of a journey are its course’s until an administrator sets its own. Being enrolled already answers the same record, unchanged. A place that has ended is taken up again where the journey is open to the caller, with the progress kept; elsewhere 403. `expiresOn` and `contentfulMetadata` are hints and ignored: nobody sets the end of their own place.',
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
  summary: 'my lesson completions (older)',
  description: 'Newest first.',
  replies: { 200: z.object({ lessons: z.array(LessonCompletion), total: Count }) },
});

/** The body of both calls that record a lesson. */
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
  summary: 'record a lesson completion (older)',
  description:
    'The same as completing the lesson. `progressSnapshot` and `contentfulMetadata` are hints; the answer carries what was counted. A lesson completed before answers its first record.',
  body: LessonRecord,
  replies: { 201: LessonCompletion },
  errors: ['learner.not_enrolled', 'learner.enrolment_pending', 'learner.enrolment_expired', 'request.not_found'],
});

// Newer.

const JourneyPath = z.object({ courseSlug: SlugParam, journeySlug: SlugParam });

export const MyJourney = z.object({
  journeySlug: z.string(),
  title: z.string(),
  status: EnrolmentStatus,
  expiresOn: Timestamp.nullable(),
  completedAt: Timestamp.nullable().describe('Set once, when the last mandatory lesson is completed; never taken back'),
  certificate: Certificate.nullable(),
  progress: Progress,
});

export const listMyJourneysOfCourse = endpoint({
  name: 'listMyJourneysOfCourse',
  service: 'learner',
  method: 'GET',
  path: '/me/courses/{courseSlug}/journeys',
  auth: 'user',
  summary: 'my journeys in a course with progress',
  description:
    'The journeys of this course I have a place in, whatever its status; none is an empty list. 404 for a course that is hidden from me and never had me.',
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
  summary: 'complete a lesson (idempotent)',
  description:
    'Needs an enrolment that is in force, also in an open journey. The last mandatory lesson completes the journey, once and for good. A lesson that was withdrawn is 404.',
  params: JourneyPath.extend({ lessonSlug: SlugParam }),
  replies: { 204: null },
  errors: ['learner.not_enrolled', 'learner.enrolment_pending', 'learner.enrolment_expired'],
});

export const issueMyCertificate = endpoint({
  name: 'issueMyCertificate',
  service: 'learner',
  method: 'PUT',
  path: '/me/courses/{courseSlug}/journeys/{journeySlug}/certificate',
  auth: 'user',
  summary: 'issue (201) or return (200) my certificate',
  description:
    'One certificate a person and journey, whichever way it is asked for; the name is fixed when it is first issued and is the name of the account unless `nameOnCertificate` says another. Titles, lessons and minutes come from the catalogue as it stands then; lessons that were completed and withdrawn since still count. A place that has ended keeps the right to the certificate of what was completed. A journey without mandatory lessons gives none.',
  params: JourneyPath,
  body: z.object({ nameOnCertificate: NameOnCertificate.optional(), locale: LocaleCode.optional() }),
  replies: { 200: z.object({ certificate: Certificate }), 201: z.object({ certificate: Certificate }) },
  errors: ['learner.not_completed'],
});

// Additions of ours: what the screens read.

export const REVOCATION_REASONS = ['name_corrected', 'issued_in_error', 'not_earned', 'other'] as const;
export type RevocationReason = (typeof REVOCATION_REASONS)[number];
const RevocationReason = z.enum(REVOCATION_REASONS).describe('name_corrected: a corrected one took its place');

export const verifyCertificate = endpoint({
  name: 'verifyCertificate',
  service: 'learner',
  method: 'GET',
  path: '/certificates/{publicId}',
  auth: 'none',
  extension: true,
  summary: 'confirm a certificate',
  description:
    'Every claim as it was recorded when the certificate was issued. A revoked certificate says so; an unknown one is 404.',
  params: z.object({ publicId: z.string().min(1).max(128) }),
  replies: {
    200: z.object({
      certificate: z.object({
        publicId: z.string(),
        status: z.enum(['valid', 'revoked']),
        nameOnCertificate: z.string(),
        courseTitle: z.string(),
        journeyTitle: z.string(),
        courseSlug: z.string().nullable().describe('null when the course is not open to everybody'),
        lessons: Count.describe('Mandatory lessons completed'),
        minutes: Minutes,
        locale: z.string(),
        issuer: z.string(),
        issuedAt: Timestamp,
        revokedAt: Timestamp.nullable(),
        revocationReason: RevocationReason.nullable(),
        certificateUrl: z.url(),
        verificationUrl: z.url(),
        credentialUrl: z.url().describe('An Open Badges 3.0 credential as a signed JWT'),
        badgeUrl: z.url().describe('An SVG with that credential in it'),
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
  summary: 'whether a file is the PDF of a certificate, byte for byte',
  description:
    'By the SHA-256 of the file, in hexadecimal digits; the file itself is not sent. Every PDF that was ever handed out is known, also of a certificate that was revoked since.',
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
  summary: 'correct the name on my certificate',
  description:
    'A new certificate of the same claims and the same date takes the place of the old one, which is revoked and does not lead to it. Three times at most.',
  params: z.object({ publicId: z.string().min(1).max(128) }),
  body: z.object({ nameOnCertificate: NameOnCertificate }),
  replies: { 201: z.object({ certificate: Certificate }) },
  errors: ['learner.certificate_revoked', 'learner.same_name', 'learner.corrections_used', 'request.not_found'],
});

export const revokeCertificate = endpoint({
  name: 'revokeCertificate',
  service: 'learner',
  method: 'POST',
  path: '/certificates/{publicId}/revocations',
  auth: 'admin',
  extension: true,
  summary: 'withdraw a certificate for good',
  description:
    'Its page says so from then on, its PDF and credential are not handed out any more, and the list of what was withdrawn names it. Withdrawing it again changes nothing.',
  params: z.object({ publicId: z.string().min(1).max(128) }),
  body: z.object({
    reason: z.enum(['issued_in_error', 'not_earned', 'other'], {
      error: 'Must be one of issued_in_error, not_earned, other',
    }),
  }),
  replies: { 204: null },
  errors: ['request.not_found'],
});

export const Cover = z.object({ url: z.string(), alt: z.string() }).describe('null: the page draws one from the slug');

const LessonLink = z.object({ slug: z.string(), title: z.string() });

export const Changes = z
  .object({
    revision: Count.describe('What is told here; `seeMyChanges` takes it back'),
    added: z.array(LessonLink).describe('Came since, and not completed yet'),
    changed: z
      .array(LessonLink)
      .describe('Were completed, and say something else now in the language they were read in'),
    removed: Count.describe('Were completed, and are no longer part of the journey; what was done stays recorded'),
  })
  .meta({ id: 'JourneyChanges' });

export const MyLearning = MyJourney.extend({
  changes: Changes.nullable().describe('Since I finished it; null when nothing changed, or it is not finished'),
  course: z.object({ slug: z.string(), title: z.string(), cover: Cover.nullable() }),
  dueOn: z.iso.date().nullable().describe('The day a cohort of mine wants it finished'),
  enrolledAt: Timestamp,
  lastActivityAt: Timestamp.describe('When the last lesson was completed, or the place was taken'),
  minutesLeft: Minutes.describe('Of mandatory lessons not yet completed'),
  nextLesson: LessonLink.extend({ minutes: Minutes })
    .nullable()
    .describe(
      'The first mandatory lesson not completed, else the first optional one; null when there is none or the place is not in force',
    ),
});

export const readMyLearning = endpoint({
  name: 'readMyLearning',
  service: 'learner',
  method: 'GET',
  path: '/me/learning',
  auth: 'user',
  extension: true,
  summary: 'all my journeys with progress, next lesson and certificate',
  description: 'The one I was last active in comes first.',
  query: z.object({ locale: LocaleCode.optional() }),
  replies: { 200: z.object({ journeys: z.array(MyLearning), total: Count }) },
});

export const seeMyChanges = endpoint({
  name: 'seeMyChanges',
  service: 'learner',
  method: 'PUT',
  path: '/me/courses/{courseSlug}/journeys/{journeySlug}/changes',
  auth: 'user',
  extension: true,
  summary: 'take note of what changed since I finished a journey',
  description:
    'What changed up to `revision` is told no more; what changes later is. Nothing is completed or lost by it, and an older revision than before changes nothing.',
  params: JourneyPath,
  body: z.object({ revision: Count.max(2_147_483_647) }),
  replies: { 204: null },
  errors: ['learner.not_enrolled', 'request.not_found'],
});

export const WAYS_IN = ['open', 'sign-in', 'verification', 'invitation', 'payment'] as const;
export const WayIn = z
  .enum(WAYS_IN)
  .describe(
    'How one gets a place. open: enrol now · sign-in: with an account · verification: as a confirmed public servant · invitation: through a cohort or an administrator · payment: an entitlement',
  );

const OutlineLesson = LessonLink.extend({
  minutes: Minutes,
  mandatory: z.boolean(),
  completed: z.boolean(),
  readable: z.boolean().describe('The reader may open it: enrolled, or it is the preview'),
});
const OutlineSection = z.object({ heading: z.string(), lessons: z.array(OutlineLesson) });

/** A place in a journey as its page shows it. */
const Place = z.object({ status: EnrolmentStatus, expiresOn: Timestamp.nullable(), completedAt: Timestamp.nullable() });

export const CourseJourney = z.object({
  slug: z.string(),
  title: z.string(),
  privacy: z.enum(JOURNEY_PRIVACIES),
  minutes: Minutes.describe('Of all its lessons, optional ones too'),
  lessons: Count.describe('All its lessons'),
  enrolment: Place.nullable(),
  canEnrol: z.boolean().describe('The viewer may enrol now; false when they are enrolled'),
  wayIn: WayIn,
  progress: Progress.nullable().describe('null without a place'),
  certificate: Certificate.nullable(),
  changes: Changes.nullable().describe('Since I finished it; null when nothing changed, or it is not finished'),
  sections: z.array(OutlineSection),
});

export const readCourse = endpoint({
  name: 'readCourse',
  service: 'learner',
  method: 'GET',
  path: '/courses/{courseSlug}',
  auth: 'none',
  extension: true,
  summary: 'a course with its journeys, outline and my progress',
  description: 'Texts come in the language of the request or the next of its chain. Hidden journeys are left out.',
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
        shownLocale: LocaleCode.describe('The language the title is shown in'),
        locales: z.array(LocaleCode).describe('Languages every lesson that has a text can be read in'),
        humanTranslation: z.boolean(),
        cover: Cover.nullable(),
        academies: z.array(LessonLink),
        journeys: z.array(CourseJourney),
      }),
    }),
  },
});

export const readLesson = endpoint({
  name: 'readLesson',
  service: 'learner',
  method: 'GET',
  path: '/courses/{courseSlug}/journeys/{journeySlug}/lessons/{lessonSlug}',
  auth: 'none',
  extension: true,
  summary: 'a lesson with its outline and my progress',
  description:
    'For those enrolled and administrators. The first lesson of an open-public journey is a preview for everybody who sees the course; any other asks a visitor to sign in (401) and a person to join (403).',
  params: JourneyPath.extend({ lessonSlug: SlugParam }),
  query: z.object({ locale: LocaleCode.optional() }),
  replies: {
    200: z.object({
      course: z.object({ id: z.string(), slug: z.string(), title: z.string(), humanTranslation: z.boolean() }),
      journey: z.object({
        id: z.string(),
        slug: z.string(),
        title: z.string(),
        enrolment: Place.nullable(),
        canEnrol: z.boolean(),
        wayIn: WayIn,
        progress: Progress.nullable(),
        certificate: Certificate.nullable(),
        sections: z.array(OutlineSection),
      }),
      lesson: z.object({
        id: z.string(),
        slug: z.string(),
        title: z.string(),
        minutes: Minutes,
        mandatory: z.boolean(),
        completed: z.boolean(),
        completedAt: Timestamp.nullable(),
        preview: z.boolean().describe('Shown to somebody who is not enrolled'),
        html: z.string().describe('Sanitised; empty when the lesson has no text'),
        headings: z.array(z.object({ level: z.int(), id: z.string(), text: z.string() })),
        shownLocale: LocaleCode.nullable().describe('The language of the text; null without one'),
        locales: z.array(LocaleCode).describe('Languages there is a text in'),
        previous: LessonLink.nullable(),
        next: LessonLink.nullable(),
        discussion: z
          .object({
            question: z.string().nullable().describe('The opening question, when the lesson has one'),
            activityId: Uuid.nullable().describe('The discussion, when somebody has opened it'),
            canOpen: z.boolean().describe('The viewer may open one'),
          })
          .nullable()
          .describe('null for a preview'),
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
