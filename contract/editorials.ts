import { z } from 'zod';
import { LocaleCode, limitParam, offsetParam, Slug, SlugParam, text } from './common.ts';
import { endpoint } from './endpoint.ts';
import { schedule } from './events.ts';

/**
 * Pages and parts that editors put around courses: questions with their answer, solution articles, hubs with the
 * carousels and pictures they show, and events, whose schedule is declared in events.ts.
 */
export const EDITORIAL_KINDS = ['question', 'solution', 'hub', 'carousel', 'picture', 'event'] as const;
export type EditorialKind = (typeof EDITORIAL_KINDS)[number];

/**
 * Kinds with a page of their own, by the first part of its path. Carousels and pictures appear in hubs; events have
 * operations of their own.
 */
export const EDITORIAL_PAGES = { questions: 'question', solutions: 'solution', hubs: 'hub' } as const;
export type EditorialPage = keyof typeof EDITORIAL_PAGES;

/** The Markdown texts of each kind, in the order they are read in. The first one is required. */
export const EDITORIAL_PARTS = {
  question: ['answer'],
  solution: ['problem', 'tried', 'result', 'cost', 'transfer', 'evidence'],
  hub: [],
  carousel: [],
  picture: [],
  event: ['about'],
} as const satisfies Record<EditorialKind, readonly string[]>;
export type EditorialPart = (typeof EDITORIAL_PARTS)[EditorialKind][number];

export const MAX_EDITORIAL_ITEMS = 60;

const Html = z.string().describe('Safe HTML');

export const LinkedCard = z
  .object({
    kind: z.enum(['academy', 'article', 'community', 'course', 'lesson', 'microcourse', ...EDITORIAL_KINDS]),
    path: z.string().nullable().describe('Of its page; null for carousels and pictures, which have none'),
    title: z.string(),
    summary: z.string(),
    shownLocale: LocaleCode.describe('The language of title and summary'),
    minutes: z.int().nullable().describe('Of courses and microcourses'),
    cover: z.object({ url: z.string(), alt: z.string() }).nullable(),
    html: Html.nullable().describe('Of a question its answer'),
    bodyLocale: LocaleCode.nullable().describe('The language of `html`'),
  })
  .meta({ id: 'LinkedCard' });
export type LinkedCard = z.output<typeof LinkedCard>;

export const LinkedItem = LinkedCard.extend({
  items: z.array(LinkedCard).describe('What a carousel shows; empty for every other kind'),
}).meta({ id: 'LinkedItem' });
export type LinkedItem = z.output<typeof LinkedItem>;

const card = {
  id: z.string(),
  kind: z.enum(['question', 'solution', 'hub']),
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  shownLocale: LocaleCode.describe('The language of title and summary'),
  locales: z.array(LocaleCode).describe('Languages it can be read in'),
  humanTranslation: z.boolean().describe('false: translated by a machine'),
  cover: z.object({ url: z.string(), alt: z.string() }).nullable(),
  html: Html.nullable().describe('Of a question its answer; of other kinds null in lists'),
  bodyLocale: LocaleCode.nullable().describe('The language of `html`'),
};
export const EditorialCard = z.object(card).meta({ id: 'EditorialCard' });
export type EditorialCard = z.output<typeof EditorialCard>;

export const Editorial = z
  .object({
    ...card,
    headings: z.array(z.object({ level: z.int(), id: z.string(), text: z.string() })),
    items: z.array(LinkedItem).describe('What it leads to, in order; only what the caller may see'),
  })
  .meta({ id: 'Editorial' });
export type Editorial = z.output<typeof Editorial>;

const kind = z.enum(Object.keys(EDITORIAL_PAGES) as [EditorialPage, ...EditorialPage[]]); // an object has its own keys
const locale = LocaleCode.optional();
const common = { service: 'content', method: 'GET', auth: 'none', extension: true } as const;

export const listEditorials = endpoint({
  ...common,
  name: 'listEditorials',
  path: '/editorials/{kind}',
  summary: 'questions with their answers, solution articles or learning hubs, in the order of the catalogue',
  description:
    'Only what the caller may see. With `course` only those that name the course or one of its lessons; none for a course that is hidden from the caller.',
  params: z.object({ kind }),
  query: z.object({ course: Slug.optional(), limit: limitParam(50), offset: offsetParam(), locale }),
  replies: { 200: z.object({ editorials: z.array(EditorialCard), total: z.int() }) },
});

export const readEditorial = endpoint({
  ...common,
  name: 'readEditorial',
  path: '/editorials/{kind}/by-slug/{slug}',
  summary: 'a question with its answer, a solution article or a learning hub, with what it leads to',
  params: z.object({ kind, slug: SlugParam }),
  query: z.object({ locale }),
  replies: { 200: Editorial },
  errors: ['request.not_found'],
});

// ------------------------------------------------------------------------------------------------- as they are written

const texts = (max: number, name: string) =>
  z
    .partialRecord(LocaleCode, text({ min: 1, max, name }))
    .describe('A text by language; a language without one is left out');
const title = (name: string) => texts(200, name).refine((map) => Object.keys(map).length > 0, `${name} is required`);
const markdown = (name: string) => texts(20_000, name).default({});
const summary = texts(5000, 'Summary').default({});
const cover = {
  cover: z.string().max(1024).nullable().default(null).describe('The path of one of its pictures'),
  coverAlt: texts(500, 'Alternative text').default({}),
};
export const ItemPath = z
  .string()
  .trim()
  .max(400)
  .transform((path) => path.replace(/^\/+|\/+$/g, ''))
  .refine(
    (path) => /^[a-z]+(\/[^/\s?#]+){1,3}$/.test(path),
    'Must be the path of a page, such as courses/plain-language',
  );
const items = z
  .array(ItemPath)
  .max(MAX_EDITORIAL_ITEMS, `At most ${MAX_EDITORIAL_ITEMS} links`)
  .default([])
  .describe('Paths of pages, in order: courses/{slug}, courses/{course}/{journey}/{lesson}, articles/{slug} …');
const humanTranslation = z.boolean().default(true);

const Question = z.strictObject({
  kind: z.literal('question'),
  slug: Slug,
  title: title('Question'),
  answer: markdown('Answer'),
  humanTranslation,
  items,
});
const Solution = z.strictObject({
  kind: z.literal('solution'),
  slug: Slug,
  title: title('Title'),
  summary,
  problem: markdown('Problem'),
  tried: markdown('What was tried'),
  result: markdown('Result'),
  cost: markdown('Cost'),
  transfer: markdown('What transfers'),
  evidence: markdown('Evidence'),
  humanTranslation,
  ...cover,
  items,
});
const Hub = z.strictObject({
  kind: z.literal('hub'),
  slug: Slug,
  title: title('Title'),
  summary,
  humanTranslation,
  ...cover,
  items,
});
const Carousel = z.strictObject({ kind: z.literal('carousel'), slug: Slug, title: title('Title'), summary, items });
const Picture = z.strictObject({
  kind: z.literal('picture'),
  slug: Slug,
  title: title('Title'),
  summary: summary.describe('The caption'),
  ...cover,
});

const Event = z
  .strictObject({
    kind: z.literal('event'),
    slug: Slug,
    title: title('Title'),
    summary,
    about: markdown('Description'),
    ...schedule,
    humanTranslation,
    ...cover,
  })
  .refine(({ starts, ends }) => starts === null || ends === null || ends > starts, {
    message: 'Must be after the start',
    path: ['ends'],
  });

export const EDITORIAL_DOCS = [Question, Solution, Hub, Carousel, Picture, Event] as const;
export type EditorialDoc = z.output<(typeof EDITORIAL_DOCS)[number]>;
