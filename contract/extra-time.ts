import { z } from 'zod';
import { Email, EntryId, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Percent of the time limit. */
export const MAX_EXTRA_TIME = 300;

const common = {
  service: 'content',
  auth: 'admin',
  capability: 'publish-content',
  extension: true,
  path: '/authoring/course/pieces/{key}/extra-time',
  params: z.object({ key: EntryId.describe('Entry id of the course') }),
} as const;

export const listExtraTime = endpoint({
  ...common,
  name: 'listExtraTime',
  method: 'GET',
  summary: 'List the people with extra time in a course, by name',
  description: 'For administrators and owners of the course. At most 500 people.',
  replies: {
    200: z.object({
      people: z.array(
        z.object({ id: Uuid, name: z.string(), percent: z.int().describe('Largest of their journeys in the course') }),
      ),
    }),
  },
  errors: ['request.not_found'],
});

export const setExtraTime = endpoint({
  ...common,
  name: 'setExtraTime',
  method: 'PUT',
  summary: 'Give a learner extra time for the timed assessments of a course',
  description:
    'For all journeys of the course in which the person is enrolled; a person without one is 404. Attempts that start later get it: the time limit of 20 minutes with 25 percent is 25 minutes. Attempts under way get it too, counted from their start.',
  body: z.strictObject({
    person: z.union([Uuid, Email], 'Must be an e-mail address').describe('Id or e-mail address'),
    percent: z
      .int('Extra time must be a whole number')
      .min(0, 'Extra time must be at least 0')
      .max(MAX_EXTRA_TIME, `Extra time must be at most ${MAX_EXTRA_TIME}`)
      .describe('Percent of the time limit; 0: none'),
  }),
  replies: { 204: null },
  errors: ['request.not_found'],
});
