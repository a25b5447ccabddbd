import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam, Slug, SlugParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

export const MAX_QUERY_LENGTH = 2_000;
export const MAX_QUERIES_AN_HOUR = 30;
export const THREAD_PAGE_SIZE = 20;
/** Maximum number of messages per thread in a list. */
export const MAX_THREAD_MESSAGES = 100;
export const THREAD_DAYS = 90;

export const LearnerQuery = z.object({
  query: text({ min: 1, max: MAX_QUERY_LENGTH, name: 'Query' }),
  courseSlug: SlugParam,
  journeySlug: SlugParam,
  lessonSlug: SlugParam,
  locale: LocaleCode.optional().describe('Language of question and lesson; defaults to that of the request'),
});

export const Reference = z.object({
  title: z.string().describe('Titles of the lesson and of the heading above the passage'),
  url: z.string().describe('Link to the passage in the lesson'),
  quote: z.string().describe('Quoted word for word'),
});
export type Reference = z.output<typeof Reference>;

export const askLesson = endpoint({
  name: 'askLesson',
  service: 'ai',
  method: 'POST',
  path: '/learners/me/queries',
  auth: 'user',
  summary: 'Ask about a lesson',
  description: `Available to everyone who may read the lesson. The answer consists of passages of the lesson, or of other lessons of its course that the caller may read, quoted in \`references\`; if nothing answers the question, it says so and has no references. With a language model configured, the answer is phrased in sentences, each followed by the numbers of its references, such as \`[1]\`. Sentences that cannot be quoted word for word are left out; if the model fails, the answer consists of the passages. Questions about one lesson form one thread. At most ${MAX_QUERIES_AN_HOUR} questions an hour.`,
  body: LearnerQuery,
  replies: {
    200: z.object({
      answer: z.string(),
      references: z.array(Reference).describe('Best first; every sentence of the answer is in one of them'),
      threadId: Uuid,
    }),
  },
  errors: ['learner.not_enrolled', 'learner.enrolment_pending', 'learner.enrolment_expired', 'request.not_found'],
});

/** How an answer was made: from passages, by a model, or from passages because the model failed. */
export const AnswerMaker = z.enum(['passages', 'model', 'fallback']);
export type AnswerMaker = z.output<typeof AnswerMaker>;

/** A `sentence` event of `streamAnswer`: a checked sentence with the numbers of its references, counted from 1. */
export const AnswerSentence = z.object({
  text: z.string(),
  numbers: z.array(z.int()),
  references: z.array(Reference).describe('References that no earlier sentence used'),
});
export type AnswerSentence = z.output<typeof AnswerSentence>;

/**
 * The final `answer` event: the reply of `askLesson`, which may differ from the earlier sentences, and how it was made.
 */
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
  summary: 'Ask about a lesson and stream the answer',
  description:
    'Server-sent events: `sentence` for each sentence of the language model once its quotations were verified, then `answer` with the reply of `askLesson` and `madeBy`. The answer is stored only then; a client that disconnects earlier leaves no trace. `failed` replaces `answer` when the product itself failed.',
  body: LearnerQuery,
  download: 'text/event-stream',
  replies: { 200: z.unknown() },
  errors: ['learner.not_enrolled', 'learner.enrolment_pending', 'learner.enrolment_expired', 'request.not_found'],
});

export const Thread = z.object({
  id: Uuid,
  title: z.string().describe('The first question, possibly shortened'),
  createdAt: Timestamp,
  lesson: z
    .object({ courseSlug: Slug, journeySlug: Slug, lessonSlug: Slug })
    .nullable()
    .describe('Extension: the lesson it is about; null for a job analysis or a withdrawn lesson'),
  messages: z.array(
    z.object({
      role: z.enum(['user', 'assistant']),
      content: z.string(),
      createdAt: Timestamp,
      references: z.array(Reference).describe('Extension: the references of an answer'),
      madeBy: AnswerMaker.nullable().describe('Extension: how an answer was made; null when not recorded'),
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
  summary: 'List my conversations, most recently used first',
  description: `Each thread contains its last ${MAX_THREAD_MESSAGES} messages in order. Threads are private to their owner and are deleted after ${THREAD_DAYS} days without use. \`lesson\` (extension) returns the thread about one lesson.`,
  query: z.object({
    limit: limitParam(THREAD_PAGE_SIZE),
    offset: offsetParam(),
    lesson: z
      .string()
      .regex(/^[^/]{1,256}\/[^/]{1,256}\/[^/]{1,256}$/, 'Must be <course>/<journey>/<lesson>')
      .optional()
      .describe('Slugs of course, journey and lesson, separated by `/`'),
  }),
  replies: {
    200: z.object({
      threads: z.array(Thread),
      total: z.int(),
      hasModel: z.boolean().describe('Extension: whether a language model phrases answers'),
    }),
  },
});

export const deleteThread = endpoint({
  name: 'deleteThread',
  service: 'ai',
  method: 'DELETE',
  path: '/learners/me/threads/{threadId}',
  auth: 'user',
  summary: 'Delete a conversation',
  params: z.object({ threadId: Uuid }),
  replies: { 204: null },
});
