import { z } from 'zod';
import { PROGRESS_STATES } from './cohorts.ts';
import { text, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

// Reminders to members of a cohort who have not completed a journey.

const Count = z.int().min(0);
/** Minimum hours between two reminders of one person in one journey, whichever cohort sends them. */
export const HOURS_BETWEEN_REMINDERS = 24;
export const MAX_REMINDER_WORDS = 1000;
export const MAX_REMINDED_BY_ID = 1000;
export const REMINDED_STATES = PROGRESS_STATES.filter((state) => state !== 'finished');

export const remindLearners = endpoint({
  name: 'remindLearners',
  service: 'admin',
  method: 'POST',
  path: '/cohorts/{id}/progress/{journeyId}/reminders',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Remind cohort members of a journey that they have not completed',
  description: `Reminds everyone who has not completed the journey, by notification and mail as each person chose. \`state\` and \`userIds\` narrow that down. Nobody is reminded of a journey twice within ${HOURS_BETWEEN_REMINDERS} hours, whichever cohort asks. \`words\` are shown with the reminder; links in them are removed. Runs as a job.`,
  params: z.object({ id: Uuid, journeyId: Uuid }),
  body: z.strictObject({
    state: z.enum(REMINDED_STATES, { error: `Must be one of ${REMINDED_STATES.join(', ')}` }).optional(),
    userIds: z.array(Uuid).min(1).max(MAX_REMINDED_BY_ID).optional(),
    words: text({ max: MAX_REMINDER_WORDS, name: 'Words' }).optional(),
  }),
  replies: {
    202: z.object({
      people: Count.describe('Number of people who are reminded'),
      skipped: Count.describe(`Number of people who were reminded within the last ${HOURS_BETWEEN_REMINDERS} hours`),
    }),
  },
  errors: ['admin.cohort_archived'],
});
