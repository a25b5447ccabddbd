import { z } from 'zod';
import { Slug, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

const Count = z.int();
export const MAX_WEEKS = 104;
/** What is counted, in the order it is shown in. */
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
    week: z.iso.date().describe('Its Monday; weeks begin at midnight UTC'),
    activePeople: Count.describe('Who finished a lesson or wrote a post or a reply'),
    newPeople: Count.nullable().describe(
      'Accounts made whose address is proven and that are not erased; of a cohort, who joined it; null of a course',
    ),
    enrolments: Count.describe('Enrolments made in a journey'),
    lessons: Count.describe('Lessons finished'),
    journeys: Count.describe('Journeys whose every mandatory lesson was finished'),
    certificates: Count.describe('Certificates issued and not withdrawn'),
    posts: Count.describe('Posts and polls; a course has none'),
    replies: Count.describe('Replies; of a course, those in its lessons'),
  })
  .meta({ id: 'FigureWeek' });
export type FigureWeek = z.output<typeof FigureWeek>;

export const readFigures = endpoint({
  name: 'readFigures',
  service: 'admin',
  method: 'GET',
  path: '/figures',
  auth: 'admin',
  summary: 'what happened, by week',
  description:
    'The last `weeks` weeks, oldest first, the present one included. They are the record as it stands now: what was deleted or erased since is not counted. Of a cohort: what those do who belong to it now. Of a cohort and a course: what they do in the course.',
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
  summary: 'what needs a hand',
  replies: {
    200: z.object({
      registrations: Count.describe('Sign-ups that wait for a decision'),
      reports: Count.describe('Posts and replies with open reports'),
      uploads: Count.describe('Uploads of which addresses are still to be placed'),
      failedJobs: Count.describe('Jobs that were given up'),
      failedMails: Count.describe('Mails a mail server refused'),
    }),
  },
  extension: true,
});
