import { z } from 'zod';
import {
  booleanParam,
  HttpUrl,
  IsDeletedUser,
  limitParam,
  LocaleCode,
  LOCALES,
  offsetParam,
  Slug,
  SlugParam,
  text,
  Timestamp,
  Uuid,
} from './common.ts';
import { endpoint } from './endpoint.ts';

/** Reasons this service refuses a request, with their status. */
export const contentErrors = {
  'content.no_slug': { status: 404, message: 'This entry has no slug in that language.' },
  'content.slug_taken': { status: 503, message: 'No free address was found for this title. Try again.' },
} as const;

// ---------------------------------------------------------------------------------------------------------- entries

const id = z.string().trim().min(1, 'Id must not be empty').describe('The id of the entry on the content platform');

export const readEntrySlug = endpoint({
  name: 'readEntrySlug',
  service: 'content',
  method: 'GET',
  path: '/entries/{id}/fields/slug',
  auth: 'none',
  summary: 'slugs of an entry by locale',
  description:
    'Without `locale` the default locale alone; `*` every locale that has a slug of its own. A named locale falls back along the ' +
    "chain of the entry's source, else along ours (fr-CA, fr, en), and the key of the answer says which locale was served. An " +
    'unknown, draft or withdrawn entry, and one that is hidden from the caller, is 404; an entry without a slug is 404 with the ' +
    'code content.no_slug.',
  params: z.object({ id }),
  query: z.object({
    locale: z
      .enum([...LOCALES, '*'], { error: `Must be * or one of ${LOCALES.join(', ')}` })
      .optional()
      .describe('One of the supported languages, or `*`'),
  }),
  replies: { 200: z.object({ slug: z.record(z.string(), z.string()) }) },
  errors: ['content.no_slug'],
});

const entryId = z
  .string()
  .trim()
  .min(1, 'Id must not be empty')
  .max(64)
  .regex(/^[A-Za-z0-9._-]+$/, 'Must be 1 to 64 letters, digits, dots, underscores or hyphens');
const contentType = text({ min: 1, max: 64, name: 'Content type' });
const version = z.int().min(0).optional().describe('Without one the event counts as the newest');
const slugText = z.string().trim().pipe(Slug);
/** The content platform's locales (`en-US`) are mapped to ours. */
const localised = z.record(z.string().max(35), z.unknown());

/** What a content platform sends: a whole entry of Contentful's shape … */
const PlatformEntry = z.object({
  sys: z.object({
    id: entryId,
    version,
    contentType: z.object({ sys: z.object({ id: contentType }) }).optional(),
  }),
  fields: z.record(z.string().max(64), localised).optional().describe('By field and locale'),
});
/** … or the few facts that are indexed. */
const BriefEntry = z.object({
  id: entryId,
  contentType,
  slug: z
    .union(
      [slugText, z.record(z.string().max(35), slugText).refine((slugs) => Object.keys(slugs).length > 0)],
      'Slug must be 1 to 128 lower-case letters, digits or hyphens, or a map of locales to such',
    )
    .nullish()
    .describe('A slug, or one for each locale. `PUT` needs it to publish'),
  version,
});
export type PlatformEntry = z.output<typeof PlatformEntry>;
export type BriefEntry = z.output<typeof BriefEntry>;

const isPlatformEntry = (body: unknown) => typeof body === 'object' && body !== null && 'sys' in body;
const eventBody = z
  .unknown()
  .transform((body, context): BriefEntry | PlatformEntry => {
    const parsed = (isPlatformEntry(body) ? PlatformEntry : BriefEntry).safeParse(body, { reportInput: true });
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) context.addIssue({ ...issue, path: [...issue.path] } as never); // issues of the same zod
    return z.NEVER;
  })
  .meta({
    type: 'object',
    description:
      '`{id, slug, contentType, version?}` or a whole entry `{sys, fields}` as the content platform sends it',
  });
const eventHeaders = z.object({
  'x-contentful-topic': z.string().max(200).optional().describe('For instance `ContentManagement.Entry.publish`'),
  'x-contentful-version': z
    .string()
    .regex(/^\d{1,15}$/, 'Must be a whole number')
    .transform(Number)
    .optional()
    .describe('The version, when the body has none'),
});
const eventDescription =
  'The topic decides: `….publish` indexes the entry, `….unpublish`, `….archive` and `….delete` withdraw it, any other topic is ' +
  'taken and changes nothing; without a topic the entry is published. Idempotent by id and version: an event that is not newer than what is stored changes nothing. ' +
  'The header `x-content-changed: index` of the answer says that slug, state and index changed and pages did not, because no content platform is configured to fetch the texts from.';

export const indexEntry = endpoint({
  name: 'indexEntry',
  service: 'content',
  method: 'PUT',
  path: '/entries/it/index',
  auth: 'webhook',
  summary: 'index a published entry',
  description: `${eventDescription} An entry told in brief needs its slug to be published; a whole entry has what its type has.`,
  headers: eventHeaders,
  body: eventBody,
  bodyLimit: 256 * 1024,
  replies: { 204: null },
});

export const reindexEntry = endpoint({
  name: 'reindexEntry',
  service: 'content',
  method: 'PATCH',
  path: '/entries/it/index',
  auth: 'webhook',
  summary: 're-index or withdraw an entry, by topic',
  description: `${eventDescription} \`indexed\` says whether the entry stands in the index after the event; it is false for any other topic.`,
  headers: eventHeaders,
  body: eventBody,
  bodyLimit: 256 * 1024,
  replies: { 200: z.object({ indexed: z.boolean() }) },
});

// -------------------------------------------------------------------------------------------------------- catalogue

const Image = z.object({ url: z.string().describe('A path of this site'), alt: z.string() }).nullable();
const shown = {
  shownLocale: LocaleCode.describe("The language of the texts: the reader's, or the next of its chain that has them"),
  locales: z.array(LocaleCode).describe('The languages it is offered in'),
};
const AcademyLink = z.object({ slug: z.string(), title: z.string() });

/** short: up to 15 minutes · medium: up to 90 · long: more. */
export const LENGTHS = ['short', 'medium', 'long'] as const;

export const CourseCard = z
  .object({
    id: z.string(),
    slug: z.string(),
    title: z.string(),
    summary: z.string(),
    ...shown,
    humanTranslation: z.boolean().describe('false: some languages were translated by a machine'),
    minutes: z.int().describe('Of all its lessons in the journeys this reader sees'),
    lessons: z.int(),
    journeys: z.int(),
    cover: Image,
    academies: z.array(AcademyLink),
  })
  .meta({ id: 'CourseCard' });
export type CourseCard = z.output<typeof CourseCard>;

export const MicrocourseCard = z
  .object({
    id: z.string(),
    slug: z.string(),
    title: z.string(),
    summary: z.string(),
    ...shown,
    humanTranslation: z.boolean(),
    minutes: z.int(),
    cover: Image,
  })
  .meta({ id: 'MicrocourseCard' });
export type MicrocourseCard = z.output<typeof MicrocourseCard>;

export const AcademyCard = z
  .object({
    id: z.string(),
    slug: z.string(),
    title: z.string(),
    description: z.string(),
    ...shown,
    cover: Image,
    courses: z.int().describe('How many of its courses this reader sees'),
    minutes: z.int(),
  })
  .meta({ id: 'AcademyCard' });
export type AcademyCard = z.output<typeof AcademyCard>;

const shownIn = z.object({ locale: LocaleCode.optional().describe('The language to show texts in') });

export const listCatalogue = endpoint({
  name: 'listCatalogue',
  service: 'content',
  method: 'GET',
  path: '/catalogue',
  auth: 'none',
  extension: true,
  summary: 'courses, microcourses and academies',
  description:
    'What the caller may see. The filters narrow courses and microcourses; an academy filter leaves no microcourses.',
  query: shownIn.extend({
    academy: Slug.optional().describe('Courses of this academy only'),
    language: LocaleCode.optional().describe('Offered in this language'),
    length: z.enum(LENGTHS).optional().describe('short: up to 15 minutes, medium: up to 90, long: more'),
    q: text({ max: 256, name: 'Search' }).optional().describe('Words that the title or summary holds'),
  }),
  replies: {
    200: z.object({
      courses: z.array(CourseCard),
      microcourses: z.array(MicrocourseCard),
      academies: z.array(AcademyCard),
      languages: z.array(LocaleCode).describe('Every language something here is offered in, before filtering'),
    }),
  },
});

export const listAcademies = endpoint({
  name: 'listAcademies',
  service: 'content',
  method: 'GET',
  path: '/academies',
  auth: 'none',
  extension: true,
  summary: 'academies',
  query: shownIn,
  replies: { 200: z.object({ academies: z.array(AcademyCard), total: z.int() }) },
});

export const readAcademy = endpoint({
  name: 'readAcademy',
  service: 'content',
  method: 'GET',
  path: '/academies/{slug}',
  auth: 'none',
  extension: true,
  summary: 'an academy with its courses',
  params: z.object({ slug: SlugParam }),
  query: shownIn,
  replies: {
    200: AcademyCard.omit({ courses: true }).extend({
      courses: z.array(CourseCard),
      isMember: z.boolean(),
      canJoin: z.boolean().describe('The caller may join and has not'),
      members: z.int(),
    }),
  },
});

export const joinAcademy = endpoint({
  name: 'joinAcademy',
  service: 'content',
  method: 'POST',
  path: '/academies/{slug}/members',
  auth: 'user',
  summary: 'join an academy',
  description: 'Joining twice changes nothing. Outside can_join it is 403, outside can_view 404.',
  params: z.object({ slug: SlugParam }),
  replies: { 204: null },
});

export const Heading = z.object({ level: z.int(), id: z.string(), text: z.string() });

export const readMicrocourse = endpoint({
  name: 'readMicrocourse',
  service: 'content',
  method: 'GET',
  path: '/microcourses/{slug}',
  auth: 'none',
  extension: true,
  summary: 'a microcourse with its text',
  params: z.object({ slug: SlugParam }),
  query: shownIn,
  replies: {
    200: MicrocourseCard.extend({
      html: z.string().describe('Sanitised'),
      headings: z.array(Heading),
      bodyLocale: LocaleCode.describe('The language of the text itself'),
    }),
  },
});

// --------------------------------------------------------------------------------------------------------- articles

export const ARTICLE_TAGS = [
  'topic_CitiesAndLocalGovernment',
  'topic_DigitalAndData',
  'topic_Education',
  'topic_EquityJusticeAndInclusion',
  'topic_HealthAndSocialCare',
  'topic_Innovation',
  'topic_LeadershipAndSkills',
  'topic_LifeInGovernment',
  'topic_Policymaking',
  'topic_TransportAndInfrastructure',
  'topic_WorkAndTheEconomy',
  'topic_Climate',
] as const;
export type ArticleTag = (typeof ARTICLE_TAGS)[number];

/** Taken with or without its prefix, answered with it. */
export const ArticleTagInput = z
  .string()
  .transform((value) => (value.startsWith('topic_') ? value : `topic_${value}`))
  .pipe(z.enum(ARTICLE_TAGS, { error: `Must be one of ${ARTICLE_TAGS.join(', ')}` }))
  .meta({ description: 'One of the twelve topics, with or without the prefix topic_' });

export const ARTICLE_LIMITS = {
  title: { min: 10, max: 65 },
  subtitle: { min: 10, max: 115 },
  bodyMin: 10,
  bodyMaxBytes: 64 * 1024,
  tags: 3,
  tldrMax: 1000,
  authorName: { min: 1, max: 200 },
} as const;

const pixels = z.int().min(1).max(100_000);
const optionalText = (max: number, name: string) =>
  text({ max, name })
    .nullish()
    .transform((value) => value || null);

const CoverImageInput = z.object({
  url: HttpUrl,
  height: pixels,
  width: pixels,
  authorName: text({ ...ARTICLE_LIMITS.authorName, name: 'Author name' }),
  authorLink: HttpUrl,
  title: optionalText(200, 'Title'),
  description: optionalText(1000, 'Description'),
  color: z
    .string()
    .trim()
    .regex(/^#[0-9a-fA-F]{3,8}$/, 'Must be a colour such as #0b6e6e')
    .nullish()
    .transform((value) => value ?? null),
});

export const ArticleInput = z.object({
  title: text({ ...ARTICLE_LIMITS.title, name: 'Title' }),
  subtitle: text({ ...ARTICLE_LIMITS.subtitle, name: 'Subtitle' }),
  body: z
    .string()
    .trim()
    .refine((value) => [...value].length >= ARTICLE_LIMITS.bodyMin, {
      message: `Body must have at least ${ARTICLE_LIMITS.bodyMin} characters`,
      abort: true,
    })
    .refine(
      (value) => new TextEncoder().encode(value).length <= ARTICLE_LIMITS.bodyMaxBytes,
      'Body must have at most 64 KiB',
    )
    .describe('Markdown'),
  humanTranslation: z.boolean().default(true),
  tags: z
    .array(ArticleTagInput)
    .max(ARTICLE_LIMITS.tags, `At most ${ARTICLE_LIMITS.tags} tags`)
    .refine((tags) => new Set(tags).size === tags.length, 'Tags must be unique')
    .default([]),
  coverImage: CoverImageInput.nullish().transform((value) => value ?? null),
  tldr: optionalText(ARTICLE_LIMITS.tldrMax, 'TL;DR'),
  locale: LocaleCode.optional().describe("The language it is written in; the request's when left out"),
});
export type ArticleInput = z.output<typeof ArticleInput>;

export const createArticle = endpoint({
  name: 'createArticle',
  service: 'content',
  method: 'POST',
  path: '/articles',
  auth: 'user',
  summary: 'publish an article',
  description:
    'For public servants. The product derives slug, seoTitle, seoDescription, publishedDate, authorTag and type. Titles lose all ' +
    'markup; the body keeps the allowed tags.',
  body: ArticleInput,
  replies: { 201: z.object({ slug: z.string() }) },
  errors: ['content.slug_taken'],
});

const Body = z
  .string()
  .trim()
  .min(1, 'Body is required')
  .refine(
    (value) => new TextEncoder().encode(value).length <= ARTICLE_LIMITS.bodyMaxBytes,
    'Body must have at most 64 KiB',
  );

export const previewArticle = endpoint({
  name: 'previewArticle',
  service: 'content',
  method: 'POST',
  path: '/articles/previews',
  auth: 'user',
  extension: true,
  summary: 'what the text of an article will look like',
  description: 'Cleans and shows the body as publishing it would. Nothing is kept.',
  body: z.object({ body: Body.describe('Markdown'), locale: LocaleCode.optional() }),
  replies: {
    200: z.object({
      html: z.string().describe('Sanitised'),
      minutes: z.int().describe('How long it takes to read'),
    }),
  },
});

export const updateArticle = endpoint({
  name: 'updateArticle',
  service: 'content',
  method: 'PUT',
  path: '/articles/{slug}',
  auth: 'user',
  summary: 'edit an article',
  description:
    'By its author alone. The whole article is replaced; its slug and date stay, seoTitle and seoDescription follow.',
  params: z.object({ slug: SlugParam }),
  body: ArticleInput,
  replies: { 204: null },
});

const Author = z.object({
  id: Uuid,
  name: z.string(),
  isDeleted: IsDeletedUser,
  thumbnail: z.string().nullable(),
  jobTitle: z.string().nullable(),
  organization: z.string().nullable(),
});
const CoverImage = z.object({
  url: z.string(),
  height: z.int(),
  width: z.int(),
  authorName: z.string(),
  authorLink: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  color: z.string().nullable(),
});

export const ArticleCard = z
  .object({
    slug: z.string(),
    title: z.string(),
    subtitle: z.string(),
    tldr: z.string().nullable(),
    tags: z.array(z.enum(ARTICLE_TAGS)),
    coverImage: CoverImage.nullable(),
    author: Author,
    authorTag: z.string(),
    type: z.string(),
    locale: LocaleCode,
    humanTranslation: z.boolean(),
    minutes: z.int().describe('How long it takes to read'),
    publishedDate: Timestamp,
  })
  .meta({ id: 'ArticleCard' });
export type ArticleCard = z.output<typeof ArticleCard>;

export const listArticles = endpoint({
  name: 'listArticles',
  service: 'content',
  method: 'GET',
  path: '/articles',
  auth: 'none',
  extension: true,
  summary: 'articles, newest first',
  query: z.object({
    limit: limitParam(20),
    offset: offsetParam(),
    tag: ArticleTagInput.optional(),
    author: Uuid.optional(),
    language: LocaleCode.optional().describe('Written in this language'),
    mine: booleanParam.optional().describe("The caller's own"),
  }),
  replies: { 200: z.object({ articles: z.array(ArticleCard), total: z.int() }) },
  errors: ['auth.required', 'auth.forbidden'],
});

export const readArticle = endpoint({
  name: 'readArticle',
  service: 'content',
  method: 'GET',
  path: '/articles/{slug}',
  auth: 'none',
  extension: true,
  summary: 'an article',
  params: z.object({ slug: SlugParam }),
  replies: {
    200: ArticleCard.extend({
      id: Uuid,
      html: z.string().describe('Sanitised'),
      body: z.string().describe('The Markdown it was made from'),
      headings: z.array(Heading),
      seoTitle: z.string(),
      seoDescription: z.string(),
      updatedAt: Timestamp,
      can: z.object({ edit: z.boolean() }),
    }),
  },
});
