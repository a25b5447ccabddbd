import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam } from './common.ts';
import { endpoint } from './endpoint.ts';

/** The length of the longest body. */
export const MAX_CHECKED_LENGTH = 65_536;

export const CHECK_RULES = [
  'all-caps',
  'assessment-draw',
  'assessment-questions',
  'audio-transcript',
  'bare-address',
  'block-setting',
  'block-title',
  'block-unclosed',
  'block-unknown',
  'bold-heading',
  'captions',
  'file-missing',
  'heading-emphasis',
  'heading-empty',
  'heading-order',
  'image-alt',
  'image-repeated',
  'language',
  'left-out',
  'link-repeated',
  'link-words',
  'list-marks',
  'media-link',
  'quiz-answer',
  'quiz-gaps',
  'quiz-points',
  'quiz-options',
  'quiz-question',
  'quiz-size',
  'table-header',
  'table-layout',
  'transcript-left-out',
  'translation-empty',
  'translation-headings',
  'translation-images',
  'translation-length',
  'translation-links',
  'translation-quiz',
  'video-captions',
] as const;

export const CheckFinding = z
  .object({
    rule: z
      .enum(CHECK_RULES)
      .describe(
        "all-caps: several words in capitals · assessment-draw: an assessment that draws more questions than there are, as `draws > questions` · assessment-questions: an assessment without questions · audio-transcript: a recording without a transcript · bare-address: a raw URL as link text · block-setting: a setting that the block does not have · block-title: an accordion, tab or embedded video without a title · block-unclosed: a block without a closing line · block-unknown: a line that looks like a block and is shown as typed · bold-heading: a bold line used as a heading · captions: a recording without a mention of captions · file-missing: a file that the piece does not have · heading-emphasis: a heading that is a sentence or has no content · heading-empty: a heading without text · heading-order: a skipped heading level · image-alt: an image without alternative text, or with its file name · image-repeated: alternative text that repeats the text beside it · language: letters of another script than the language's · left-out: an element that pages do not show · link-repeated: the same link text for two targets · link-words: link text that does not describe the target · list-marks: a list typed by hand · media-link: a recording or embedded page, shown as a link · quiz-answer: a question without a right answer, a prompt without exactly one, or items to order that repeat · quiz-gaps: gaps that do not stand in the text once each · quiz-options: a question with fewer than two options, pairs or items · quiz-points: criteria of an open question without points, or with more than 100 together · quiz-question: a question without text · quiz-size: more than twenty pairs, answers, items or gaps · table-header: a table without a header row · table-layout: a table with one column or only headers · transcript-left-out: a recording shown without its transcript, because those before it fill the page · translation-empty: a translation without content, so that another language is shown · translation-headings, translation-images, translation-links: another number than in the source language, as `source → translation`; headings also at another level · translation-length: less than half or more than twice the words · translation-quiz: a question with another number of options or right answers than in the source language · video-captions: a video without captions",
      ),
    line: z.int().min(1),
    text: z.string().describe('The affected text, shortened'),
    severity: z
      .enum(['must', 'should'])
      .describe('must: required by WCAG 2.2, or does not work for readers · should: good editorial practice'),
  })
  .meta({ id: 'CheckFinding' });
export type CheckFinding = z.output<typeof CheckFinding>;

export const checkContent = endpoint({
  name: 'checkContent',
  service: 'content',
  method: 'POST',
  path: '/checks',
  auth: 'admin',
  extension: true,
  capability: 'read-content',
  summary: 'Check a text in one language for accessibility',
  description: 'Nothing is stored. Returns at most 200 findings in the order of lines.',
  body: z.object({
    // Not trimmed, so that line numbers match the input.
    text: z.string().max(MAX_CHECKED_LENGTH, `Text must have at most ${MAX_CHECKED_LENGTH} characters`),
    locale: LocaleCode,
  }),
  replies: { 200: z.object({ findings: z.array(CheckFinding), total: z.int() }) },
});

export const CHECKED_KINDS = ['course', 'microcourse', 'question', 'solution', 'event', 'article'] as const;

export const PublishedFinding = CheckFinding.extend({
  kind: z.enum(CHECKED_KINDS),
  title: z.string().describe("Title of the lesson, microcourse or article, in the caller's language"),
  course: z.string().nullable().describe('Title of the course that contains the lesson'),
  key: z.string().describe('Key in authoring; for an article, its id'),
  path: z.string().describe('Path of its page'),
  locale: LocaleCode.describe('Language of the text'),
  file: z.string().nullable().describe('File in the content folder'),
});

export const listContentFindings = endpoint({
  name: 'listContentFindings',
  service: 'content',
  method: 'GET',
  path: '/checks',
  auth: 'admin',
  capability: 'read-content',
  extension: true,
  summary: 'List accessibility findings of all published content',
  description:
    'For callers with a role: of the lessons of their courses. Covers texts of lessons, microcourses, questions, solution articles and articles, course by course in catalogue order. Checks run on request; each text is checked once and cached until it changes.',
  query: z.object({
    severity: z.enum(['must', 'should']).optional(),
    rule: z.enum(CHECK_RULES).optional(),
    language: LocaleCode.optional().describe('Only texts in this language'),
    match: z.string().trim().max(200).optional().describe('Part of a title or file name'),
    limit: limitParam(50, 1000),
    offset: offsetParam(),
    locale: LocaleCode.optional(),
  }),
  replies: {
    200: z.object({
      findings: z.array(PublishedFinding),
      total: z.int(),
      texts: z.int().describe('Number of checked texts'),
      languages: z.array(LocaleCode).describe('Languages of the texts'),
    }),
  },
});
