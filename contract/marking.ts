import { z } from 'zod';
import { EntryId, limitParam, LocaleCode, offsetParam, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Errors of these operations, with their status. */
export const markingErrors = {
  'learner.marked_meanwhile': { status: 409, message: 'Someone else marked this attempt after you opened it.' },
  'learner.pass_stands': {
    status: 409,
    message: 'This attempt has been passed. Points can change, but the result cannot fall below the pass mark.',
  },
} as const;

/** Characters of a comment on an answer. */
export const MAX_MARK_COMMENT = 4_000;
/** Attempts are counted up to this number. */
export const MAX_COUNTED_ATTEMPTS = 1_000;
export const MARKING_STATES = ['waiting', 'marked'] as const;

const common = { service: 'learner', auth: 'admin', capability: 'mark-answers', extension: true } as const;
const Points = z
  .number('Points must be a number')
  .min(0, 'Points must be at least 0')
  .max(100, 'Points must be at most 100')
  .multipleOf(0.5, 'Points must be whole or half');

const Mark = z.object({
  points: z.array(Points).min(1).max(20).describe('For each criterion, in order; one number without criteria'),
  comment: z
    .string()
    .max(MAX_MARK_COMMENT, `Comment must have at most ${MAX_MARK_COMMENT} characters`)
    .describe('Plain text for the learner; may be empty'),
});

const MarkedAttempt = z.object({
  id: Uuid,
  learner: z.object({ id: Uuid, name: z.string() }),
  course: z.object({ id: EntryId, title: z.string() }),
  lesson: z.object({ title: z.string() }),
  submittedAt: Timestamp,
  score: z.int().nullable().describe('Percent of the points; null while an answer waits to be marked'),
  passed: z.boolean().nullable(),
});

export const Marking = MarkedAttempt.extend({
  version: z.int().min(0).describe('Counts changes of the marks'),
  locale: LocaleCode.describe('Language of the questions'),
  passMark: z.int(),
  others: z
    .object({ earned: z.number(), points: z.int() })
    .describe('Points of the questions that nobody marks, and of open questions without an answer'),
  questions: z
    .array(
      z.object({
        number: z.int().min(1),
        questionHtml: z.string().describe('Sanitised HTML'),
        moreHtml: z.string().describe('Sanitised HTML; may be empty'),
        modelAnswerHtml: z.string().nullable().describe('Sanitised HTML'),
        criteria: z.array(z.object({ html: z.string().describe('Sanitised HTML'), points: z.int() })),
        points: z.int().describe('The most points'),
        words: z.int().nullable().describe('The most words that the answer should have'),
        answer: z.string().describe('Plain text'),
        mark: Mark.nullable(),
      }),
    )
    .describe('The open questions with an answer'),
}).meta({ id: 'Marking' });

export const listMarking = endpoint({
  ...common,
  name: 'listMarking',
  method: 'GET',
  path: '/marking',
  summary: 'List attempts with answers to mark, oldest first',
  description: `Of the courses in which I may mark, without my own attempts. Marked ones come newest first. \`counted\` is at most ${MAX_COUNTED_ATTEMPTS}.`,
  query: z.object({
    state: z.enum(MARKING_STATES).default('waiting'),
    course: EntryId.optional(),
    limit: limitParam(50),
    offset: offsetParam(),
    locale: LocaleCode.optional().describe('Language of titles'),
  }),
  replies: {
    200: z.object({
      attempts: z.array(MarkedAttempt),
      counted: z.int().min(0),
      courses: z
        .array(z.object({ id: EntryId, title: z.string(), waiting: z.int() }))
        .describe('Courses with attempts that wait to be marked'),
    }),
  },
});

export const readMarking = endpoint({
  ...common,
  name: 'readMarking',
  method: 'GET',
  path: '/marking/{attemptId}',
  summary: 'Read the open answers of an attempt, to mark them',
  description:
    'An attempt of a course in which I may not mark is 404, as is one that has not ended, has no such answer, or counts no more because a renewal has begun. My own is 403.',
  params: z.object({ attemptId: Uuid }),
  query: z.object({ locale: LocaleCode.optional().describe('Language of titles') }),
  replies: { 200: Marking },
  errors: ['request.not_found'],
});

export const markAttempt = endpoint({
  ...common,
  name: 'markAttempt',
  method: 'PUT',
  path: '/marking/{attemptId}',
  summary: 'Mark open answers of an attempt',
  description:
    'Marks of questions that are not given stay. With the last mark the attempt is scored; a pass completes the lesson. A marked attempt can be marked anew, but a pass stands: other lessons and certificates rest on it. 409 if somebody else marked it since `version`.',
  params: z.object({ attemptId: Uuid }),
  body: z.strictObject({
    version: z.int().min(0),
    marks: z
      .array(Mark.extend({ number: z.int().min(1) }))
      .min(1)
      .max(100),
    locale: LocaleCode.optional().describe('Language of titles'),
  }),
  replies: { 200: Marking },
  errors: ['learner.marked_meanwhile', 'learner.pass_stands', 'request.not_found'],
});
