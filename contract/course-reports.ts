import { z } from 'zod';
import { Day, LocaleCode, SlugParam, text, Uuid } from './common.ts';
import { LEAST_PUBLISHED } from './decisions.ts';
import { endpoint } from './endpoint.ts';

/** People count as inactive in a journey after this many days without a completed lesson. */
export const INACTIVE_DAYS = 30;

const Count = z.int().min(0).nullable().describe('null: withheld');

const LessonCompletionFigures = z.object({
  lessonSlug: z.string(),
  title: z.string(),
  mandatory: z.boolean(),
  reached: Count.describe('People who completed the lesson before it or a later one; for the first one everybody'),
  completed: Count,
  medianDays: z.number().nullable().describe('Median days from joining to completing it; null: nobody, or withheld'),
  stopped: Count.describe(
    `People who completed this lesson last, at least ${INACTIVE_DAYS} days ago, and did not complete the journey`,
  ),
  stoppedBecause: z
    .object({
      expired: z.int().describe('The enrolment has ended'),
      withdrawn: z.int().describe('There is no enrolment any more'),
    })
    .nullable()
    .describe('Those whose reason is known; null: withheld'),
});

export const JourneyCompletionFigures = z
  .object({
    journeySlug: z.string(),
    title: z.string(),
    people: Count.describe('People with an enrolment, confirmed or ended, or with a completed lesson'),
    started: Count.describe('People who completed a lesson'),
    completed: Count.describe('People who completed the journey'),
    neverStarted: Count.describe(`People who joined at least ${INACTIVE_DAYS} days ago and completed no lesson`),
    lessons: z.array(LessonCompletionFigures).describe('In the order of the journey, without withdrawn lessons'),
  })
  .meta({ id: 'JourneyCompletionFigures' });
export type JourneyCompletionFigures = z.output<typeof JourneyCompletionFigures>;

export const readCourseCompletion = endpoint({
  name: 'readCourseCompletion',
  service: 'admin',
  method: 'GET',
  path: '/reports/courses/{courseSlug}',
  auth: 'admin',
  capability: 'read-reports',
  extension: true,
  summary: 'Read how far people get in a course',
  description: `For each journey and lesson. The filters restrict the people: to current members of a cohort, to a country or organisation of their profile, and to the weeks in which they joined. With a filter, every number from 1 to ${LEAST_PUBLISHED - 1} is withheld, and all numbers of a journey with fewer than ${LEAST_PUBLISHED} people. The same holds for the people whom the filter leaves out, because their numbers follow from the report without it.`,
  params: z.object({ courseSlug: SlugParam }),
  query: z.object({
    locale: LocaleCode.optional(),
    cohort: Uuid.optional(),
    country: z
      .string()
      .regex(/^[A-Za-z]{2}$/, 'Must be a country code of two letters')
      .toUpperCase()
      .optional(),
    organization: text({ min: 1, max: 256, name: 'Organisation' }).optional().describe('The exact name, in any case'),
    from: Day.optional().describe('A day of the first week in which people joined; weeks start on Monday, UTC'),
    to: Day.optional().describe('A day of the last week'),
  }),
  replies: {
    200: z.object({
      course: z.object({ slug: z.string(), title: z.string() }),
      isNarrowed: z.boolean().describe('A filter is set, so small numbers are withheld'),
      journeys: z.array(JourneyCompletionFigures),
    }),
  },
  errors: ['request.not_found'],
});
