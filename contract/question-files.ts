import { z } from 'zod';
import { EntryId, LocaleCode } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Errors of these operations, with their status. */
export const questionFileErrors = {
  'content.questions_unreadable': {
    status: 400,
    message:
      'This is no readable file of questions. Send GIFT, Moodle XML, QTI or CSV in UTF-8, without a document type.',
  },
  'content.questions_too_large': { status: 400, message: 'The file is larger than 2 MiB, or 16 MiB unpacked.' },
} as const;

export const QUESTION_FORMATS = ['gift', 'moodle', 'qti', 'csv'] as const;
export type QuestionFormat = (typeof QUESTION_FORMATS)[number];
export const MAX_QUESTION_FILE_BYTES = 2 * 1024 * 1024;
/** Problems that a reply lists. */
export const MAX_QUESTION_PROBLEMS = 500;

export const QUESTION_PROBLEMS = [
  ...(['type', 'syntax', 'no-right-answer', 'few-options', 'number', 'several-answers', 'inexpressible'] as const),
  ...(['duplicate', 'room', 'picture', 'weight', 'partial-credit', 'pattern', 'feedback', 'units'] as const),
  ...(['requirement', 'file'] as const),
] as const;

const Problem = z.object({
  file: z.string(),
  line: z.int().min(1),
  question: z.string().describe('Its name, or the beginning of its text'),
  effect: z
    .enum(['left-out', 'changed'])
    .describe('left-out: the question was not taken · changed: a part of it was not'),
  reason: z
    .enum(QUESTION_PROBLEMS)
    .describe(
      'type: no such questions here · syntax: not readable · no-right-answer · few-options: fewer than two · number: no number, or too many digits · several-answers: several right numbers · inexpressible: no form of it here · duplicate: the text has the same question · room: the text would be too long · picture: pictures and recordings are not taken · weight: points are whole numbers from 1 to 100 · partial-credit: options and typed answers are right or wrong · pattern: answers with wildcards · feedback: feedback by score, or of an answer or a gap that is not taken · units: units of numbers · requirement: demands on open answers that do not exist here, such as a least number of words · file: not a question',
    ),
  detail: z.string(),
});

export const QuestionImport = z
  .object({
    format: z.enum(QUESTION_FORMATS),
    version: z.int().describe('Of the draft, after the import'),
    added: z.int().describe('Number of questions that were added or, in a dry run, would be'),
    text: z.string().describe('The questions as they stand at the end of the text'),
    problems: z.array(Problem).describe(`The first ${MAX_QUESTION_PROBLEMS}`),
    problemCount: z.int(),
  })
  .meta({ id: 'QuestionImport' });
export type QuestionImport = z.output<typeof QuestionImport>;

const common = {
  service: 'content',
  auth: 'admin',
  extension: true,
  path: '/authoring/{kind}/pieces/{key}/questions',
  params: z.object({
    kind: z.enum(['lesson', 'course']).describe('course: its question bank'),
    key: EntryId.describe('Key of the lesson or id of the course'),
  }),
} as const;

export const importQuestions = endpoint({
  ...common,
  name: 'importQuestions',
  method: 'POST',
  capability: 'edit-content',
  summary: 'Add the questions of a file to the draft of a lesson or a question bank (multipart)',
  description:
    'One part named `file`, of at most 2 MiB: GIFT, Moodle XML, an item or a package of QTI 2.1, 2.2 or 3.0, or CSV. The content decides the format. Choice, true-or-false, number, short-answer, matching, ordering, gap and open questions are added at the end of the text in one language, with feedback and tags; everything else is listed. A dry run changes nothing.',
  query: z.object({
    locale: LocaleCode.optional().describe('Language of the questions; the source language when absent'),
    dryRun: z
      .enum(['true', 'false'])
      .default('false')
      .transform((value) => value === 'true'),
  }),
  upload: 'file',
  replies: { 200: QuestionImport },
  errors: [
    'request.not_found',
    'content.changed_meanwhile',
    'content.questions_unreadable',
    'content.questions_too_large',
  ],
});

export const exportQuestions = endpoint({
  ...common,
  name: 'exportQuestions',
  method: 'GET',
  capability: 'edit-content',
  summary: 'Download the questions of a lesson or a question bank, with their keys',
  description:
    'The questions of the draft, else of the published text, in one language. Pictures leave their alternative text; questions without a right answer stay out. QTI does not hold feedback of typed answers, GIFT and Moodle XML whether accents matter nor feedback of pairs, and GIFT neither whether capitals do, answers that match nothing, nor points, hints, criteria and limits of open questions, gaps and items to order; its comments name such questions.',
  query: z.object({
    format: z.enum(QUESTION_FORMATS),
    locale: LocaleCode.optional().describe('The source language when absent'),
  }),
  download: 'application/octet-stream',
  replies: { 200: null },
  errors: ['request.not_found'],
});
