import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam, SlugParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

export const MAX_QUERY_LENGTH = 2_000;
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
  quote: z.string().describe('Word for word from the lesson'),
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
    'For whoever may read the lesson. The answer is made of passages of the lesson, quoted in `references`; where nothing ' +
    'in it answers, it says so and has none. Questions about one lesson make one conversation. At most 30 an hour.',
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

export const Thread = z.object({
  id: Uuid,
  title: z.string().describe('Its first question, perhaps cut'),
  createdAt: Timestamp,
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.string(), createdAt: Timestamp })),
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
    `one that was not used for ${THREAD_DAYS} days is deleted.`,
  query: z.object({ limit: limitParam(THREAD_PAGE_SIZE), offset: offsetParam() }),
  replies: { 200: z.object({ threads: z.array(Thread), total: z.int() }) },
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
