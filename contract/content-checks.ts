import { z } from 'zod';
import { limitParam, LocaleCode, offsetParam } from './common.ts';
import { endpoint } from './endpoint.ts';

export const MAX_CHECKED_LENGTH = 200_000;

export const CHECK_RULES = [
  'all-caps',
  'bare-address',
  'bold-heading',
  'captions',
  'heading-emphasis',
  'heading-empty',
  'heading-order',
  'image-alt',
  'image-repeated',
  'language',
  'link-repeated',
  'link-words',
  'list-marks',
  'table-header',
  'table-layout',
] as const;

export const CheckFinding = z
  .object({
    rule: z
      .enum(CHECK_RULES)
      .describe(
        'all-caps: a run of words in capitals · bare-address: an address instead of words · bold-heading: a bold line that is meant as a heading · captions: a recording without a word about captions · heading-emphasis: a heading that is a sentence, or has nothing below it · heading-empty · heading-order: a level is skipped · image-alt: no words for a picture, or its file name · image-repeated: they stand beside it anyway · language: letters of another script than the language’s · link-repeated: the same words lead to two places · link-words: they say nothing of the target · list-marks: a list drawn by hand · table-header: no row of headings · table-layout: one column, or only headings',
      ),
    line: z.int().min(1),
    text: z.string().describe('What it stands at, shortened'),
    severity: z.enum(['must', 'should']).describe('must: asked by WCAG 2.2 · should: good editing'),
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
  summary: 'check a text in one language for what keeps people from reading it',
  description: 'Nothing is stored. At most 200 findings, in the order of the lines.',
  body: z.object({
    // Not trimmed: lines are counted from its first.
    text: z.string().max(MAX_CHECKED_LENGTH, `Text must have at most ${MAX_CHECKED_LENGTH} characters`),
    locale: LocaleCode,
  }),
  replies: { 200: z.object({ findings: z.array(CheckFinding), total: z.int() }) },
});

export const CHECKED_KINDS = ['course', 'microcourse', 'article'] as const;

export const PublishedFinding = CheckFinding.extend({
  kind: z.enum(CHECKED_KINDS),
  title: z.string().describe('Of the lesson, microcourse or article, in the language of the reader'),
  course: z.string().nullable().describe('The title of the course the lesson is in'),
  path: z.string().describe('Where it is read, on this site'),
  locale: LocaleCode.describe('Of the text'),
  file: z.string().nullable().describe('Where in the content folder the text stands'),
});

export const listContentFindings = endpoint({
  name: 'listContentFindings',
  service: 'content',
  method: 'GET',
  path: '/checks',
  auth: 'admin',
  extension: true,
  summary: 'what checking everything published finds',
  description:
    'Texts of lessons, microcourses and articles, course by course, in the order of the catalogue. It is checked as it is asked for; a text is checked once and remembered until it changes.',
  query: z.object({
    severity: z.enum(['must', 'should']).optional(),
    rule: z.enum(CHECK_RULES).optional(),
    language: LocaleCode.optional().describe('Only texts in this language'),
    match: z.string().trim().max(200).optional().describe('A part of a title or of the name of a file'),
    limit: limitParam(50, 1000),
    offset: offsetParam(),
    locale: LocaleCode.optional(),
  }),
  replies: {
    200: z.object({
      findings: z.array(PublishedFinding),
      total: z.int(),
      texts: z.int().describe('How many texts were checked'),
      languages: z.array(LocaleCode).describe('In which languages there are texts'),
    }),
  },
});
