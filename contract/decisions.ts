import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam, Slug, text, Timestamp, Uuid } from './common.ts';
import { MentionedUsers } from './community.ts';
import { endpoint } from './endpoint.ts';
import {
  ArticleRef,
  ContentKind,
  hasOnePlace,
  LessonRef,
  MAX_REPORT_NOTE_LENGTH,
  ModeratedPlace,
  ONE_PLACE,
  REPORT_REASONS,
} from './moderation.ts';

/** Errors of this service, with their status. */
export const moderationErrors = {
  'moderation.taken': { status: 409, message: 'Another moderator has taken this case.' },
  'moderation.appeal_closed': { status: 409, message: 'This decision can be appealed once, and within 30 days.' },
  'moderation.outcome_known': { status: 409, message: 'There is no appeal to decide.' },
  'moderation.same_person': {
    status: 403,
    message: 'An appeal must be decided by someone other than the original moderator.',
  },
} as const;

export const APPEAL_DAYS = 30;
export const MAX_APPEAL_LENGTH = 2000;
/** How long removed texts are kept for their author. */
export const HELD_MONTHS = 6;
/** The smallest published count. */
export const LEAST_PUBLISHED = 5;

const Reason = z.enum(REPORT_REASONS);
const CommunityRef = z
  .object({ slug: Slug, title: z.string() })
  .nullable()
  .describe('The community; null for lesson discussions, articles and profile polls');
const AppealState = z.enum(['none', 'waiting', 'upheld', 'reversed']);

const Summary = {
  id: Uuid,
  kind: ContentKind,
  community: CommunityRef,
  lesson: LessonRef,
  article: ArticleRef,
  reason: Reason,
  decidedAt: Timestamp,
  appeal: AppealState,
};
const DecisionSummary = z.object(Summary);

export const Decision = z
  .object({
    ...Summary,
    activityId: Uuid.describe('The post or article itself, or the post it replied to'),
    note: z.string().nullable().describe("The moderator's explanation"),
    rule: z
      .object({ number: z.int(), html: z.string() })
      .nullable()
      .describe('The broken community rule, as worded then'),
    byReport: z.boolean().describe('Whether a report led to the decision; the reporter is never revealed'),
    text: z
      .object({
        title: z.string().nullable(),
        bodyHtml: z.string().nullable(),
        mentionedUsers: MentionedUsers,
        locale: z.string(),
        writtenAt: Timestamp,
      })
      .nullable()
      .describe(`The removed text; null after ${HELD_MONTHS} months`),
    appealUntil: Timestamp,
    appealText: z.string().nullable(),
    appealedAt: Timestamp.nullable(),
    outcomeNote: z.string().nullable(),
    outcomeAt: Timestamp.nullable(),
    isRestored: z.boolean().nullable().describe('After a reversal: whether the item was restored'),
    decidedBy: z.string().nullable().describe('Visible to moderators only'),
    author: z.object({ id: Uuid, name: z.string() }).nullable().describe('Null for the author'),
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
  summary: "List moderators' decisions about my posts, newest first",
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
  summary: 'List my reports and their outcome, newest first',
  query: z.object(page),
  replies: {
    200: z.object({
      reports: z.array(
        z.object({
          id: Uuid,
          kind: ContentKind,
          community: CommunityRef,
          lesson: LessonRef,
          article: ArticleRef,
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

const DecisionParams = z.object({ id: Uuid });
const LocaleQuery = z.object({ locale: LocaleCode.optional() });

export const readDecision = endpoint({
  name: 'readDecision',
  service: 'moderation',
  method: 'GET',
  path: '/decisions/{id}',
  auth: 'user',
  extension: true,
  summary: 'Read a moderation decision',
  description: 'Visible to the author and to moderators of the community or course; 404 for everyone else.',
  params: DecisionParams,
  query: LocaleQuery,
  replies: { 200: Decision },
});

export const appealDecision = endpoint({
  name: 'appealDecision',
  service: 'moderation',
  method: 'POST',
  path: '/decisions/{id}/appeal',
  auth: 'user',
  extension: true,
  summary: 'Appeal against a decision about my post',
  description: `Only the author may appeal (403), once, within ${APPEAL_DAYS} days.`,
  params: DecisionParams,
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
  summary: 'Decide an appeal',
  description:
    'Only moderators of the community or course, except the original moderator and the author (403). `reversed` restores the item if its parent still exists; `isRestored` contains the result.',
  params: DecisionParams,
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
  summary: 'List waiting appeals of a community, of a course or about articles, longest waiting first',
  description:
    "Needs full control of the community. Administrators and the course's contacts moderate its lesson discussions, administrators articles. The caller's own appeals are not listed.",
  query: z.object({ ...page, ...ModeratedPlace }).refine(hasOnePlace, ONE_PLACE),
  replies: {
    200: z.object({
      appeals: z.array(DecisionSummary.extend({ appealedAt: Timestamp, canDecide: z.boolean() })),
      total: z.int(),
    }),
  },
  errors: ['request.not_found'],
});
