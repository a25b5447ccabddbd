import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam, Slug, SlugParam, Timestamp, Uuid } from './common.ts';
import { LEAST_PUBLISHED } from './decisions.ts';
import { endpoint } from './endpoint.ts';
import { ArticleRef, ContentKind, LessonRef, REPORT_REASONS } from './moderation.ts';

/** How long a taken case stays reserved. */
export const CLAIM_MINUTES = 30;

const Reason = z.enum(REPORT_REASONS);

export const claimCase = endpoint({
  name: 'claimCase',
  service: 'moderation',
  method: 'POST',
  path: '/claims',
  auth: 'user',
  extension: true,
  summary: 'Take or release a reported case',
  description: `Needs full control of the community, or of the course's lesson discussions. Nobody else can decide a taken case. The reservation ends after ${CLAIM_MINUTES} minutes, with the decision, or when it is released.`,
  body: z.object({
    community: SlugParam.optional().describe('Omitted for lesson discussions, their replies and articles'),
    kind: ContentKind,
    id: Uuid,
    take: z.boolean().describe('false releases the case'),
  }),
  replies: { 200: z.object({ until: Timestamp.nullable() }) },
  errors: ['moderation.taken'],
});

export const Case = z
  .object({
    kind: ContentKind,
    id: Uuid.describe('Id of the post, reply or article'),
    activityId: Uuid.describe('Id of the post, or of the article'),
    community: z.object({ slug: Slug, title: z.string() }).nullable(),
    lesson: LessonRef,
    article: ArticleRef,
    decisionId: Uuid.nullable().describe('Id of the decision, if the item was removed'),
    status: z.enum(['waiting', 'appealed', 'kept', 'removed']),
    reasons: z.array(Reason),
    reports: z.int(),
    since: Timestamp.describe('Time of the first report or appeal, or of the decision'),
    takenBy: z.string().nullable(),
    decidedBy: z.string().nullable(),
    appeal: z.enum(['none', 'waiting', 'upheld', 'reversed']),
  })
  .meta({ id: 'Case' });
export type Case = z.output<typeof Case>;

export const CASE_SORTS = ['since', '-since', 'reports', '-reports'] as const;

export const listCases = endpoint({
  name: 'listCases',
  service: 'moderation',
  method: 'GET',
  path: '/cases',
  auth: 'admin',
  capability: 'read-cases',
  extension: true,
  summary: 'List moderation cases of all communities, lesson discussions and articles',
  description:
    '`waiting` lists reports and appeals without a decision, `decided` what was kept or removed. Contains no texts; those are read in their community or course. Articles have their title. Moderators by an assigned role get the cases of their communities.',
  query: z.object({
    state: z.enum(['waiting', 'decided']).default('waiting'),
    community: Slug.optional(),
    course: Slug.optional().describe('Slug of a course'),
    kind: ContentKind.optional(),
    reason: Reason.optional(),
    sort: z.enum(CASE_SORTS).default('since'),
    limit: limitParam(50),
    offset: offsetParam(),
    locale: LocaleCode.optional(),
  }),
  replies: { 200: z.object({ cases: z.array(Case), total: z.int() }) },
});

export const listModerationLog = endpoint({
  name: 'listModerationLog',
  service: 'moderation',
  method: 'GET',
  path: '/log',
  auth: 'user',
  extension: true,
  summary: 'List moderation actions in a community, newest first',
  description: "Needs full control of the community. Returns the community's part of the audit log.",
  query: z.object({ community: Slug, limit: limitParam(50), offset: offsetParam() }),
  replies: {
    200: z.object({
      acts: z.array(
        z.object({
          id: Uuid,
          actor: z.object({ id: Uuid, name: z.string() }).nullable(),
          action: z.string().describe('`<area>.<verb>-<noun>`'),
          reason: Reason.nullable(),
          createdAt: Timestamp,
        }),
      ),
      more: z.boolean(),
    }),
  },
  errors: ['request.not_found'],
});

const Count = z
  .int()
  .nullable()
  .describe(`Null: withheld, because it is below ${LEAST_PUBLISHED} or would reveal a count that is`);

export const ModerationFigures = z
  .object({
    year: z.int(),
    reports: Count,
    kept: Count.describe('Reported items that were kept'),
    removed: Count,
    byReason: z.array(z.object({ reason: Reason, count: Count })).describe('Removals by reason'),
    appeals: Count,
    reversed: Count,
    medianHours: z.number().nullable().describe('Median hours from a report to its decision'),
  })
  .meta({ id: 'ModerationFigures' });
export type ModerationFigures = z.output<typeof ModerationFigures>;

export const listModerationFigures = endpoint({
  name: 'listModerationFigures',
  service: 'moderation',
  method: 'GET',
  path: '/figures',
  auth: 'none',
  extension: true,
  summary: 'List yearly moderation statistics',
  description:
    'Totals of all communities, lesson discussions and articles. Years are in UTC, newest first, at most ten.',
  replies: { 200: z.object({ years: z.array(ModerationFigures) }) },
});
