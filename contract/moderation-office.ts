import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam, Slug, SlugParam, Timestamp, Uuid } from './common.ts';
import { LEAST_PUBLISHED } from './decisions.ts';
import { endpoint } from './endpoint.ts';
import { ContentKind, REPORT_REASONS } from './moderation.ts';

/** How long a case is kept for who takes it. */
export const CLAIM_MINUTES = 30;

const Reason = z.enum(REPORT_REASONS);

export const claimCase = endpoint({
  name: 'claimCase',
  service: 'moderation',
  method: 'POST',
  path: '/claims',
  auth: 'user',
  extension: true,
  summary: 'take a reported thing, so that nobody else decides it meanwhile',
  description: `Needs full control of the community. Ends after ${CLAIM_MINUTES} minutes, with the decision, or when it is given back.`,
  body: z.object({
    community: SlugParam,
    kind: ContentKind,
    id: Uuid,
    take: z.boolean().describe('false gives it back'),
  }),
  replies: { 200: z.object({ until: Timestamp.nullable() }) },
  errors: ['moderation.taken'],
});

export const Case = z
  .object({
    kind: ContentKind,
    id: Uuid.describe('Of the post or reply'),
    activityId: Uuid,
    community: z.object({ slug: Slug, title: z.string() }).nullable(),
    decisionId: Uuid.nullable().describe('Of the statement, where something was removed'),
    status: z.enum(['waiting', 'appealed', 'kept', 'removed']),
    reasons: z.array(Reason),
    reports: z.int(),
    since: Timestamp.describe('When it was first reported or appealed, or when it was decided'),
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
  extension: true,
  summary: 'what waits for moderators anywhere, or was decided',
  description:
    'Says nothing of what was written: that is read in its community. `waiting` are reports and appeals without a decision; `decided` what was kept or removed.',
  query: z.object({
    state: z.enum(['waiting', 'decided']).default('waiting'),
    community: Slug.optional(),
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
  summary: 'who did what in a community that must be answered for, newest first',
  description: 'Needs full control of the community. A part of the audit log.',
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
  .describe(`Null: withheld, for it is below ${LEAST_PUBLISHED} or would tell one that is`);

export const ModerationFigures = z
  .object({
    year: z.int(),
    reports: Count,
    kept: Count.describe('Reported things that stayed'),
    removed: Count,
    byReason: z.array(z.object({ reason: Reason, count: Count })).describe('Of what was removed'),
    appeals: Count,
    reversed: Count,
    medianHours: z.number().nullable().describe('From a report to its decision'),
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
  summary: 'how often something was reported, removed, appealed and put back, by year',
  description: 'Of all communities together. Years are of UTC, the newest first, at most ten.',
  replies: { 200: z.object({ years: z.array(ModerationFigures) }) },
});
