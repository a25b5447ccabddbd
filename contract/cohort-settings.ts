import { z } from 'zod';
import { LocaleCode, text, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

// Settings of a cohort that act for its members by themselves.

const cohortParams = z.object({ id: Uuid });
const isReminding = z
  .boolean()
  .describe('Members are reminded a week and a day before a due date, and three days after it');

const isEnrolling = z
  .boolean()
  .describe(
    'Members are enrolled in the first published journey of each attached product: those of today and later ones, within minutes',
  );

export const MAX_INVITATION_WORDS = 2000;

const CohortSettings = z
  .object({
    remindsOfDueDates: isReminding,
    enrolsAtOnce: isEnrolling,
    invitationWords: z
      .string()
      .nullable()
      .describe(
        'Quoted in invitation mails as the words of the primary partner, in whatever language they were written',
      ),
  })
  .meta({ id: 'CohortSettings' });

const invitationWords = text({ max: MAX_INVITATION_WORDS, name: 'Message' })
  .nullable()
  .describe('Plain text; mails leave out links. An empty text is null');

export const readCohortSettings = endpoint({
  name: 'readCohortSettings',
  service: 'admin',
  method: 'GET',
  path: '/cohorts/{id}/settings',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Read what a cohort does for its members by itself',
  params: cohortParams,
  replies: { 200: CohortSettings },
});

export const updateCohortSettings = endpoint({
  name: 'updateCohortSettings',
  service: 'admin',
  method: 'PATCH',
  path: '/cohorts/{id}/settings',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Change what a cohort does for its members by itself',
  description:
    'Omitted fields stay unchanged. `enrolsAtOnce` is not switched on while the cohort is archived. Enrolments that were made stay when `enrolsAtOnce` is switched off. Undoing an upload, or removing a member, ends them like enrolments that the member made, and deletes those that were not started.',
  params: cohortParams,
  body: z.strictObject({
    remindsOfDueDates: isReminding.optional(),
    enrolsAtOnce: isEnrolling.optional(),
    invitationWords: invitationWords.optional(),
  }),
  replies: { 200: CohortSettings },
  errors: ['admin.cohort_archived'],
});

export const previewInvitationMail = endpoint({
  name: 'previewInvitationMail',
  service: 'admin',
  method: 'POST',
  path: '/cohorts/{id}/invitation-preview',
  auth: 'admin',
  capability: 'manage-cohort',
  extension: true,
  summary: 'Preview the invitation mail of a cohort',
  description:
    'Changes nothing. The mail is in the language of the caller unless `locale` is given, with the attached products of today.',
  params: cohortParams,
  query: z.object({ locale: LocaleCode.optional() }),
  body: z.strictObject({
    invitationWords: invitationWords.optional().describe('Instead of the saved message; omitted: the saved one'),
  }),
  replies: {
    200: z
      .object({
        subject: z.string(),
        paragraphs: z.array(z.string()),
        action: z.string().describe('The words of the button'),
        footer: z.string(),
      })
      .meta({ id: 'InvitationMail' }),
  },
});
