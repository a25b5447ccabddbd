import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam, Slug, SlugParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

export const MAX_QUERY_LENGTH = 2_000;
export const MAX_QUERIES_AN_HOUR = 30;
export const THREAD_PAGE_SIZE = 20;
/** Of one conversation, in a list. */
export const MAX_THREAD_MESSAGES = 100;
export const THREAD_DAYS = 90;

export const LearnerQuery = z.object({
  query: text({ min: 1, max: MAX_QUERY_LENGTH, name: 'Query' }),
  courseSlug: SlugParam,
  journeySlug: SlugParam,
  lessonSlug: SlugParam,
  locale: LocaleCode.optional().describe('The language of question and lesson; that of the request when left out'),
});

export const Reference = z.object({
  title: z.string().describe('Of the lesson and the heading it stands under'),
  url: z.string().describe('The place in the lesson'),
  quote: z.string().describe('Word for word from there'),
});
export type Reference = z.output<typeof Reference>;

export const askLesson = endpoint({
  name: 'askLesson',
  service: 'ai',
  method: 'POST',
  path: '/learners/me/queries',
  auth: 'user',
  summary: 'ask about a lesson',
  description:
    'For whoever may read the lesson. The answer is made of passages of the lesson, or of other lessons of its course ' +
    'that the asker may read, quoted in `references`; where nothing answers, it says so and has none. Where a language ' +
    'model is configured, it puts the answer into sentences, each followed by the numbers of its references, as `[1]`; ' +
    'what it cannot quote word for word is left out, and when it fails the answer is the passages. Questions about one ' +
    `lesson make one conversation. At most ${MAX_QUERIES_AN_HOUR} an hour.`,
  body: LearnerQuery,
  replies: {
    200: z.object({
      answer: z.string(),
      references: z.array(Reference).describe('Best first; every sentence of the answer stands in one of them'),
      threadId: Uuid,
    }),
  },
  errors: ['learner.not_enrolled', 'learner.enrolment_pending', 'learner.enrolment_expired', 'request.not_found'],
});

/** Who made an answer: it is passages, or a model's words, or passages because the model could not be had. */
export const AnswerMaker = z.enum(['passages', 'model', 'fallback']);
export type AnswerMaker = z.output<typeof AnswerMaker>;

/** An event `sentence` of `streamAnswer`: checked, with the numbers of the references it rests on, counted from 1. */
export const AnswerSentence = z.object({
  text: z.string(),
  numbers: z.array(z.int()),
  references: z.array(Reference).describe('Those that this sentence is the first to rest on'),
});
export type AnswerSentence = z.output<typeof AnswerSentence>;

/** The event `answer`, the last: what `askLesson` answers, which may differ from the sentences before, and its maker. */
export const WholeAnswer = z.object({
  answer: z.string(),
  references: z.array(Reference),
  threadId: Uuid,
  madeBy: AnswerMaker,
});
export type WholeAnswer = z.output<typeof WholeAnswer>;

export const streamAnswer = endpoint({
  name: 'streamAnswer',
  service: 'ai',
  method: 'POST',
  path: '/learners/me/queries/stream',
  auth: 'user',
  extension: true,
  summary: 'ask about a lesson and read the answer as it is made',
  description:
    'Server-sent events: `sentence` for each sentence of a language model, once its quotations were found in their ' +
    'passages, and at the end `answer` with all that `askLesson` answers and `madeBy`. Only then is it kept: who goes ' +
    'away before leaves no trace. `failed` instead of `answer` when the product itself failed.',
  body: LearnerQuery,
  download: 'text/event-stream',
  replies: { 200: z.unknown() },
  errors: ['learner.not_enrolled', 'learner.enrolment_pending', 'learner.enrolment_expired', 'request.not_found'],
});

export const Thread = z.object({
  id: Uuid,
  title: z.string().describe('Its first question, perhaps cut'),
  createdAt: Timestamp,
  lesson: z
    .object({ courseSlug: Slug, journeySlug: Slug, lessonSlug: Slug })
    .nullable()
    .describe('An addition: what it is about; null for a job, or a lesson that was withdrawn'),
  messages: z.array(
    z.object({
      role: z.enum(['user', 'assistant']),
      content: z.string(),
      createdAt: Timestamp,
      references: z.array(Reference).describe('An addition: of an answer'),
      madeBy: AnswerMaker.nullable().describe('An addition: of an answer; null where it was not kept'),
    }),
  ),
});
export type Thread = z.output<typeof Thread>;

export const listThreads = endpoint({
  name: 'listThreads',
  service: 'ai',
  method: 'GET',
  path: '/learners/me/threads',
  auth: 'user',
  summary: 'my conversations',
  description:
    `Those last used first, each with its last ${MAX_THREAD_MESSAGES} messages in their order. Nobody else reads them; ` +
    `one that was not used for ${THREAD_DAYS} days is deleted. \`lesson\` (an addition) asks for the one about a lesson.`,
  query: z.object({
    limit: limitParam(THREAD_PAGE_SIZE),
    offset: offsetParam(),
    lesson: z
      .string()
      .regex(/^[^/]{1,256}\/[^/]{1,256}\/[^/]{1,256}$/, 'Must be <course>/<journey>/<lesson>')
      .optional()
      .describe('Slugs of course, journey and lesson, with `/` between them'),
  }),
  replies: {
    200: z.object({
      threads: z.array(Thread),
      total: z.int(),
      hasModel: z.boolean().describe('An addition: whether answers are put into words by a language model'),
    }),
  },
});

export const deleteThread = endpoint({
  name: 'deleteThread',
  service: 'ai',
  method: 'DELETE',
  path: '/learners/me/threads/{threadId}',
  auth: 'user',
  summary: 'delete a conversation',
  params: z.object({ threadId: Uuid }),
  replies: { 204: null },
});
