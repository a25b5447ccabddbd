import { z } from 'zod';
import { LocaleCode, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';
import { EnrolmentStatus } from './learner.ts';

const Count = z.int().min(0);
const courseSlug = z.string().nullable().describe('null when the course or journey is withdrawn');

const TranscriptSums = z.object({
  courses: Count.describe('Different courses'),
  microcourses: Count,
  minutes: Count,
});

/** The completed and current learning of a person. */
export const Transcript = z
  .object({
    person: z.object({ id: Uuid, name: z.string() }),
    issuer: z.string(),
    asOf: z.iso.date().describe('Today, in UTC'),
    completed: z
      .array(
        z.object({
          kind: z.enum(['journey', 'microcourse']),
          title: z.string().describe('Of the course or microcourse'),
          journeyTitle: z.string().nullable().describe('null for a microcourse'),
          courseSlug,
          microcourseSlug: z.string().nullable().describe('null for a journey, and for a withdrawn microcourse'),
          completedAt: Timestamp,
          minutes: Count.describe('Minutes of completed mandatory lessons'),
          certificate: z
            .object({
              number: z.string(),
              status: z.enum(['valid', 'expired', 'revoked']),
              expiresAt: Timestamp.nullable(),
              verificationUrl: z.url(),
            })
            .nullable(),
        }),
      )
      .describe('Last completed first. Includes what was withdrawn since.'),
    current: z
      .array(
        z.object({
          courseTitle: z.string(),
          journeyTitle: z.string(),
          courseSlug,
          status: EnrolmentStatus,
          expiresOn: Timestamp.nullable(),
          dueOn: z.iso.date().nullable().describe('The earliest due date set by a cohort of the person'),
          completedLessons: Count,
          mandatoryLessons: Count,
        }),
      )
      .describe('Enrolments in journeys that are not completed, newest first'),
    years: z.array(TranscriptSums.extend({ year: z.int() })).describe('By year of completion in UTC, latest first'),
    sums: TranscriptSums,
  })
  .meta({ id: 'Transcript' });
export type Transcript = z.output<typeof Transcript>;

const SHARED = { service: 'learner', method: 'GET', extension: true } as const;
const query = z.object({ locale: LocaleCode.optional() });
const ofPerson = z.object({ id: Uuid });
const NOT_COUNTED = 'Courses with a revoked certificate are listed and do not count in the sums.';

export const readMyTranscript = endpoint({
  ...SHARED,
  name: 'readMyTranscript',
  path: '/me/transcript',
  auth: 'user',
  summary: 'Read my transcript',
  description: `${NOT_COUNTED} A narrowed session gets the courses of its token only.`,
  query,
  replies: { 200: Transcript },
});

export const downloadMyTranscript = endpoint({
  ...SHARED,
  name: 'downloadMyTranscript',
  path: '/me/transcript.pdf',
  auth: 'user',
  summary: 'Download my transcript as a PDF',
  query,
  download: 'application/pdf',
  replies: { 200: z.unknown() },
});

export const readTranscript = endpoint({
  ...SHARED,
  name: 'readTranscript',
  path: '/people/{id}/transcript',
  auth: 'admin',
  summary: "Read a person's transcript",
  description: `${NOT_COUNTED} Each view is audited, at most hourly.`,
  params: ofPerson,
  query,
  replies: { 200: Transcript },
  errors: ['request.not_found'],
});

export const downloadTranscript = endpoint({
  ...SHARED,
  name: 'downloadTranscript',
  path: '/people/{id}/transcript.pdf',
  auth: 'admin',
  summary: "Download a person's transcript as a PDF",
  description: 'Each view is audited, at most hourly.',
  params: ofPerson,
  query,
  download: 'application/pdf',
  replies: { 200: z.unknown() },
  errors: ['request.not_found'],
});
