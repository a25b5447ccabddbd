import { z } from 'zod';
import { Slug, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

const Count = z.int();
export const MAX_WEEKS = 104;
/** The figures in display order. */
export const FIGURES = [
  'activePeople',
  'newPeople',
  'enrolments',
  'lessons',
  'journeys',
  'certificates',
  'posts',
  'replies',
] as const;
export type Figure = (typeof FIGURES)[number];

export const FigureWeek = z
  .object({
    week: z.iso.date().describe('Monday of the week; weeks begin at midnight UTC'),
    activePeople: Count.describe('People who completed a lesson or wrote a post or reply'),
    newPeople: Count.nullable().describe(
      'New proven accounts that are not erased; for a cohort, new members; null for a course',
    ),
    enrolments: Count.describe('New enrolments in journeys'),
    lessons: Count.describe('Completed lessons'),
    journeys: Count.describe('Journeys with every mandatory lesson completed'),
    certificates: Count.describe('Issued certificates that are not withdrawn'),
    posts: Count.describe('Posts and polls; none for a course'),
    replies: Count.describe('Replies; for a course, those in its lessons'),
  })
  .meta({ id: 'FigureWeek' });
export type FigureWeek = z.output<typeof FigureWeek>;

export const readFigures = endpoint({
  name: 'readFigures',
  service: 'admin',
  method: 'GET',
  path: '/figures',
  auth: 'admin',
  capability: 'read-reports',
  summary: 'Read weekly figures',
  description:
    'Returns the last `weeks` weeks including the current one, oldest first, for everything, a cohort, a course, or a cohort in a course. Figures reflect the current records: what was deleted or erased no longer counts. A cohort means its current members.',
  query: z.object({
    weeks: z
      .string()
      .regex(/^\d{1,3}$/, 'Must be a whole number')
      .transform(Number)
      .refine((value) => value >= 1 && value <= MAX_WEEKS, `Must be from 1 to ${MAX_WEEKS}`)
      .default(12)
      .meta({ type: 'integer', minimum: 1, maximum: MAX_WEEKS }),
    cohort: Uuid.optional(),
    course: Slug.optional(),
  }),
  replies: { 200: z.object({ weeks: z.array(FigureWeek) }) },
  errors: ['request.not_found'],
  extension: true,
});

export const readWaiting = endpoint({
  name: 'readWaiting',
  service: 'admin',
  method: 'GET',
  path: '/waiting',
  auth: 'admin',
  summary: 'Read what needs attention',
  replies: {
    200: z.object({
      registrations: Count.describe('Registrations awaiting a decision'),
      reports: Count.describe('Posts and replies with open reports'),
      appeals: Count.describe('Appeals awaiting a decision'),
      joinRequests: Count.describe('Requests to join communities whose members nobody but administrators manages'),
      answers: Count.describe('Attempts at assessments with answers to mark'),
      uploads: Count.describe('Uploads with unprocessed addresses'),
      failedJobs: Count.describe('Jobs that failed for good'),
      failedMails: Count.describe('Mails refused by a mail server'),
      dueMails: Count.describe('Mails that have been due for more than ten minutes'),
    }),
  },
  extension: true,
});
