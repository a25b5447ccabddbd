import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam, Slug, text, Timestamp, Uuid } from './common.ts';
import { MentionedUsers } from './community.ts';
import { endpoint } from './endpoint.ts';
import { ContentKind, MAX_REPORT_NOTE_LENGTH, REPORT_REASONS } from './moderation.ts';

/** Reasons this service refuses a request, with their status. */
export const moderationErrors = {
  'moderation.taken': { status: 409, message: 'Somebody else is looking at this case.' },
  'moderation.appeal_closed': { status: 409, message: 'This decision can be appealed once, and within 30 days.' },
  'moderation.outcome_known': { status: 409, message: 'There is no appeal to decide.' },
  'moderation.same_person': { status: 403, message: 'An appeal is decided by somebody else than the decision was.' },
} as const;

export const APPEAL_DAYS = 30;
export const MAX_APPEAL_LENGTH = 2000;
/** What was removed is kept so long for its author. */
export const HELD_MONTHS = 6;
/** Counts below are not published. */
export const LEAST_PUBLISHED = 5;

const Reason = z.enum(REPORT_REASONS);
const Place = z
  .object({ slug: Slug, title: z.string() })
  .nullable()
  .describe('The community; null for what stood under a lesson or on a profile');
const AppealState = z.enum(['none', 'waiting', 'upheld', 'reversed']);

const Summary = {
  id: Uuid,
  kind: ContentKind,
  community: Place,
  reason: Reason,
  decidedAt: Timestamp,
  appeal: AppealState,
};
const DecisionSummary = z.object(Summary);

export const Decision = z
  .object({
    ...Summary,
    activityId: Uuid.describe('The post it was, or that it replied to'),
    note: z.string().nullable().describe('In the moderator’s words'),
    rule: z
      .object({ number: z.int(), html: z.string() })
      .nullable()
      .describe('The rule of the community it broke, as it stood then'),
    byReport: z.boolean().describe('Whether a report led to it; whose is told to nobody'),
    text: z
      .object({
        title: z.string().nullable(),
        bodyHtml: z.string().nullable(),
        mentionedUsers: MentionedUsers,
        locale: z.string(),
        writtenAt: Timestamp,
      })
      .nullable()
      .describe(`What was removed; null ${HELD_MONTHS} months later`),
    appealUntil: Timestamp,
    appealText: z.string().nullable(),
    appealedAt: Timestamp.nullable(),
    outcomeNote: z.string().nullable(),
    outcomeAt: Timestamp.nullable(),
    isRestored: z.boolean().nullable().describe('Of a reversal: whether it could be put back'),
    decidedBy: z.string().nullable().describe('Told to those who moderate only'),
    author: z.object({ id: Uuid, name: z.string() }).nullable().describe('Null to the author'),
    can: z.object({ appeal: z.boolean(), decide: z.boolean() }),
  })
  .meta({ id: 'Decision' });
export type Decision = z.output<typeof Decision>;

const page = { limit: limitParam(25), offset: offsetParam(), locale: LocaleCode.optional() };

export const listMyDecisions = endpoint({
  name: 'listMyDecisions',
  service: 'moderation',
  method: 'GET',
  path: '/me/decisions',
  auth: 'user',
  extension: true,
  summary: 'what moderators removed of what one wrote, newest first',
  query: z.object(page),
  replies: { 200: z.object({ decisions: z.array(DecisionSummary), total: z.int() }) },
});

export const listMyReports = endpoint({
  name: 'listMyReports',
  service: 'moderation',
  method: 'GET',
  path: '/me/reports',
  auth: 'user',
  extension: true,
  summary: 'what one reported and what became of it, newest first',
  query: z.object(page),
  replies: {
    200: z.object({
      reports: z.array(
        z.object({
          id: Uuid,
          kind: ContentKind,
          community: Place,
          reason: Reason,
          note: z.string().nullable(),
          status: z.enum(['open', 'dismissed', 'removed']),
          createdAt: Timestamp,
          decidedAt: Timestamp.nullable(),
        }),
      ),
      total: z.int(),
    }),
  },
});

const At = z.object({ id: Uuid });
const InLanguage = z.object({ locale: LocaleCode.optional() });

export const readDecision = endpoint({
  name: 'readDecision',
  service: 'moderation',
  method: 'GET',
  path: '/decisions/{id}',
  auth: 'user',
  extension: true,
  summary: 'the statement about something that was removed',
  description: 'For its author, and for those who moderate where it stood: 404 for everybody else.',
  params: At,
  query: InLanguage,
  replies: { 200: Decision },
});

export const appealDecision = endpoint({
  name: 'appealDecision',
  service: 'moderation',
  method: 'POST',
  path: '/decisions/{id}/appeal',
  auth: 'user',
  extension: true,
  summary: 'appeal against a decision about what one wrote',
  description: `By the author (403), once, within ${APPEAL_DAYS} days.`,
  params: At,
  body: z.object({ text: text({ min: 1, max: MAX_APPEAL_LENGTH, name: 'Appeal' }) }),
  replies: { 201: Decision },
  errors: ['moderation.appeal_closed'],
});

export const decideAppeal = endpoint({
  name: 'decideAppeal',
  service: 'moderation',
  method: 'POST',
  path: '/decisions/{id}/outcome',
  auth: 'user',
  extension: true,
  summary: 'decide an appeal',
  description:
    'By those who moderate there, not by who decided before and not by the author (403). `reversed` puts the thing back as it was, where it still has a place; `isRestored` says whether.',
  params: At,
  body: z.object({
    outcome: z.enum(['upheld', 'reversed']),
    note: text({ max: MAX_REPORT_NOTE_LENGTH, name: 'Note' }).optional(),
  }),
  replies: { 200: Decision },
  errors: ['moderation.outcome_known', 'moderation.same_person'],
});

export const listAppeals = endpoint({
  name: 'listAppeals',
  service: 'moderation',
  method: 'GET',
  path: '/appeals',
  auth: 'user',
  extension: true,
  summary: 'appeals that wait in a community, the longest waiting first',
  description: 'Needs full control of the community. Nobody sees appeals of their own here.',
  query: z.object({ ...page, community: Slug }),
  replies: {
    200: z.object({
      appeals: z.array(DecisionSummary.extend({ appealedAt: Timestamp, canDecide: z.boolean() })),
      total: z.int(),
    }),
  },
  errors: ['request.not_found'],
});
