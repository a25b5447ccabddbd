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
import { ARTICLE_PICTURES } from './article-pictures.ts';
import { endpoint } from './endpoint.ts';

/** Errors of this service, with their status. */
export const contentErrors = {
  'content.no_slug': { status: 404, message: 'This entry has no slug in that language.' },
  'content.slug_taken': { status: 503, message: 'No free address was found for this title. Try again.' },
} as const;

// ---------------------------------------------------------------------------------------------------------- entries

const id = z.string().trim().min(1, 'Id must not be empty').describe('Entry id on the content platform');

export const readEntrySlug = endpoint({
  name: 'readEntrySlug',
  service: 'content',
  method: 'GET',
  path: '/entries/{id}/fields/slug',
  auth: 'none',
  summary: 'Read the slugs of an entry by locale',
  description:
    "Without `locale`, returns the default locale only; `*` returns every locale that has its own slug. A named locale falls back along the chain of the entry's source, else along ours (fr-CA, fr, en); the key of the reply is the locale served. An unknown, draft, withdrawn or hidden entry is 404; an entry without a slug is 404 with the code content.no_slug.",
  params: z.object({ id }),
  query: z.object({
    locale: z
      .enum([...LOCALES, '*'], { error: `Must be * or one of ${LOCALES.join(', ')}` })
      .optional()
      .describe('A supported language, or `*` for all'),
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
const version = z.int().min(0).optional().describe('Without a version, the event counts as the newest');
const slugText = z.string().trim().pipe(Slug);
/** The content platform's locales (`en-US`) are mapped to ours. */
const localised = z.record(z.string().max(35), z.unknown());

/** An event body of a content platform: a whole entry in Contentful's shape … */
const PlatformEntry = z.object({
  sys: z.object({
    id: entryId,
    version,
    contentType: z.object({ sys: z.object({ id: contentType }) }).optional(),
  }),
  fields: z.record(z.string().max(64), localised).optional().describe('Values by field and locale'),
});
/** … or the few indexed fields. */
const BriefEntry = z.object({
  id: entryId,
  contentType,
  slug: z
    .union(
      [slugText, z.record(z.string().max(35), slugText).refine((slugs) => Object.keys(slugs).length > 0)],
      'Slug must be 1 to 128 lower-case letters, digits or hyphens, or a map of locales to such',
    )
    .nullish()
    .describe('A slug, or one per locale. Required by `PUT` to publish'),
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
      '`{id, slug, contentType, version?}`, or a whole entry `{sys, fields}` as the content platform sends it',
  });
const eventHeaders = z.object({
  'x-contentful-topic': z.string().max(200).optional().describe('For example `ContentManagement.Entry.publish`'),
  'x-contentful-version': z
    .string()
    .regex(/^\d{1,15}$/, 'Must be a whole number')
    .transform(Number)
    .optional()
    .describe('The version, if the body contains none'),
});
const eventDescription =
  'The topic decides: `….publish` indexes the entry; `….unpublish`, `….archive` and `….delete` withdraw it; any other topic is accepted and changes nothing. Without a topic the entry is published. Idempotent by id and version: an event that is not newer than the stored version changes nothing. The reply header `x-content-changed: index` means that slug, state and index changed but the pages did not, because no content platform is configured to fetch the texts from.';

export const indexEntry = endpoint({
  name: 'indexEntry',
  service: 'content',
  method: 'PUT',
  path: '/entries/it/index',
  auth: 'webhook',
  summary: 'Index a published entry',
  description: `${eventDescription} A brief entry needs a slug to be published; a whole entry needs what its type requires.`,
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
  summary: 'Re-index or withdraw an entry, by topic',
  description: `${eventDescription} \`indexed\` is true if the entry is in the index after the event, and false for any other topic.`,
  headers: eventHeaders,
  body: eventBody,
  bodyLimit: 256 * 1024,
  replies: { 200: z.object({ indexed: z.boolean() }) },
});

// -------------------------------------------------------------------------------------------------------- catalogue

const Image = z.object({ url: z.string().describe('A path on this site'), alt: z.string() }).nullable();
const shown = {
  shownLocale: LocaleCode.describe("Language of the texts: the caller's, or the nearest fallback that has them"),
  locales: z.array(LocaleCode).describe('Languages it is available in'),
};
const AcademyLink = z.object({ slug: z.string(), title: z.string() });

/** short: up to 15 minutes · medium: up to 90 · long: more. */
export const LENGTHS = ['short', 'medium', 'long'] as const;

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

/** Accepted with or without its prefix, returned with it. */
export const ArticleTagInput = z
  .string()
  .transform((value) => (value.startsWith('topic_') ? value : `topic_${value}`))
  .pipe(z.enum(ARTICLE_TAGS, { error: `Must be one of ${ARTICLE_TAGS.join(', ')}` }))
  .meta({ description: 'One of the twelve topics, with or without the prefix topic_' });

/** The most topics a course, microcourse or academy may carry. */
export const MAX_TOPICS = 3;

/** Refuses repeated topics and more than `MAX_TOPICS`. */
export const topicList = <Topic extends z.core.$ZodType<ArticleTag>>(topic: Topic) =>
  z
    .array(topic)
    .max(MAX_TOPICS, `At most ${MAX_TOPICS} topics`)
    .refine((topics) => new Set(topics).size === topics.length, 'Topics must be unique');

const topics = z.array(z.enum(ARTICLE_TAGS)).describe(`Up to ${MAX_TOPICS} topics`);

export const CourseCard = z
  .object({
    id: z.string(),
    slug: z.string(),
    title: z.string(),
    summary: z.string(),
    ...shown,
    humanTranslation: z.boolean().describe('false: some languages are machine-translated'),
    minutes: z.int().describe('Total minutes of all lessons in journeys visible to the caller'),
    lessons: z.int(),
    journeys: z.int(),
    cover: Image,
    topics,
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
    topics,
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
    topics,
    courses: z.int().describe('Number of courses visible to the caller'),
    minutes: z.int(),
  })
  .meta({ id: 'AcademyCard' });
export type AcademyCard = z.output<typeof AcademyCard>;

const shownIn = z.object({ locale: LocaleCode.optional().describe('Language of the texts') });

export const listCatalogue = endpoint({
  name: 'listCatalogue',
  service: 'content',
  method: 'GET',
  path: '/catalogue',
  auth: 'none',
  extension: true,
  summary: 'List courses, microcourses and academies',
  description:
    'Returns only what the caller may see. Filters apply to courses and microcourses; filtering by academy returns no microcourses.',
  query: shownIn.extend({
    academy: Slug.optional().describe('Only courses of this academy'),
    language: LocaleCode.optional().describe('Only content available in this language'),
    length: z.enum(LENGTHS).optional().describe('short: up to 15 minutes, medium: up to 90, long: more'),
    topic: ArticleTagInput.optional(),
    q: text({ max: 256, name: 'Search' }).optional().describe('Words in the title or summary'),
  }),
  replies: {
    200: z.object({
      courses: z.array(CourseCard),
      microcourses: z.array(MicrocourseCard),
      academies: z.array(AcademyCard),
      languages: z.array(LocaleCode).describe('Languages of the whole catalogue, before filtering'),
      topics: z.array(z.enum(ARTICLE_TAGS)).describe('Topics of courses and microcourses, before filtering'),
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
  summary: 'List academies',
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
  summary: 'Read an academy with its courses',
  params: z.object({ slug: SlugParam }),
  query: shownIn,
  replies: {
    200: AcademyCard.omit({ courses: true }).extend({
      courses: z.array(CourseCard),
      isMember: z.boolean(),
      canJoin: z.boolean().describe('The caller can join and is not a member'),
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
  summary: 'Join an academy',
  description: 'Joining twice changes nothing. 403 outside the can_join scope, 404 outside can_view.',
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
  summary: 'Read a microcourse with its text',
  params: z.object({ slug: SlugParam }),
  query: shownIn,
  replies: {
    200: MicrocourseCard.extend({
      html: z.string().describe('Sanitised HTML'),
      headings: z.array(Heading),
      bodyLocale: LocaleCode.describe('Language of the text'),
      completedAt: Timestamp.nullable().describe('When the caller completed it'),
    }),
  },
});

// --------------------------------------------------------------------------------------------------------- articles

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

/** The path of a picture that was uploaded for an article. */
const PICTURE_PATH = new RegExp(`^${ARTICLE_PICTURES}[0-9a-f-]{36}$`);
const CoverUrl = z
  .string()
  .trim()
  .max(2048)
  .refine((value) => PICTURE_PATH.test(value) || HttpUrl.safeParse(value).success, 'Must be an http or https address')
  .describe('An address, or that of a picture uploaded for the article: its size and colour are then those of the file')
  .meta({ format: 'uri-reference' });

const CoverImageInput = z.object({
  url: CoverUrl,
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
  locale: LocaleCode.optional().describe('Language of the article; defaults to that of the request'),
});
export type ArticleInput = z.output<typeof ArticleInput>;

export const createArticle = endpoint({
  name: 'createArticle',
  service: 'content',
  method: 'POST',
  path: '/articles',
  auth: 'user',
  summary: 'Publish an article',
  description:
    'For public servants. Slug, seoTitle, seoDescription, publishedDate, authorTag and type are derived. Markup is removed from titles; the body keeps the allowed tags.',
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
  summary: 'Preview the text of an article',
  description: 'Sanitises and renders the body as publishing would. Nothing is stored.',
  body: z.object({ body: Body.describe('Markdown'), locale: LocaleCode.optional() }),
  replies: {
    200: z.object({
      html: z.string().describe('Sanitised HTML'),
      minutes: z.int().describe('Reading time in minutes'),
    }),
  },
});

export const updateArticle = endpoint({
  name: 'updateArticle',
  service: 'content',
  method: 'PUT',
  path: '/articles/{slug}',
  auth: 'user',
  summary: 'Edit an article',
  description:
    'Only by its author. Replaces the whole article; slug and date stay, seoTitle and seoDescription are derived again.',
  params: z.object({ slug: SlugParam }),
  body: ArticleInput.extend({
    basedOn: Timestamp.optional().describe('The updatedAt that was read; 409 if the article has changed since'),
  }),
  replies: { 204: null },
  errors: ['content.changed_meanwhile'],
});

/** Authors can restore a deleted article for this many days; then it is deleted for good. */
export const RESTORE_DAYS = 30;

export const deleteArticle = endpoint({
  name: 'deleteArticle',
  service: 'content',
  method: 'DELETE',
  path: '/articles/{slug}',
  auth: 'user',
  extension: true,
  summary: 'Delete my article',
  description: `Only by its author (403). It disappears at once from lists, search, feeds, posts that share it and its address. Its author can read and restore it for ${RESTORE_DAYS} days; then it is deleted for good.`,
  params: z.object({ slug: SlugParam }),
  replies: { 204: null },
});

export const restoreArticle = endpoint({
  name: 'restoreArticle',
  service: 'content',
  method: 'POST',
  path: '/articles/{slug}/restoration',
  auth: 'user',
  extension: true,
  summary: 'Restore my deleted article',
  description: `Within ${RESTORE_DAYS} days, at its former address with its former date. 404 for everyone but its author, and for articles that are not deleted.`,
  params: z.object({ slug: SlugParam }),
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
    minutes: z.int().describe('Reading time in minutes'),
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
  summary: 'List articles, newest first',
  query: z.object({
    limit: limitParam(20),
    offset: offsetParam(),
    tag: ArticleTagInput.optional(),
    author: Uuid.optional(),
    language: LocaleCode.optional().describe('Only articles in this language'),
    mine: booleanParam.optional().describe("Only the caller's own articles"),
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
  summary: 'Read an article',
  description: `A deleted article is 404, except for its author within ${RESTORE_DAYS} days.`,
  params: z.object({ slug: SlugParam }),
  replies: {
    200: ArticleCard.extend({
      id: Uuid,
      html: z.string().describe('Sanitised HTML'),
      body: z.string().describe('The source Markdown'),
      headings: z.array(Heading),
      seoTitle: z.string(),
      seoDescription: z.string(),
      updatedAt: Timestamp,
      restorableUntil: Timestamp.nullable().describe('Null, unless the article is deleted and the caller its author'),
      can: z.object({
        edit: z.boolean(),
        delete: z.boolean(),
        report: z.boolean(),
        moderate: z.boolean().describe('Remove it with a reason, which its author can appeal'),
      }),
    }),
  },
});
