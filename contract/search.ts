import { z } from 'zod';
import { limitParam, LocaleCode, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

export const MAX_SEARCH_LENGTH = 200;
/** Of each group, when no group is asked for. */
export const GROUP_SIZE = 5;

export const SEARCH_GROUPS = ['learning', 'communities', 'posts', 'articles', 'people'] as const;
export const SEARCH_KINDS = [
  'academy',
  'course',
  'lesson',
  'microcourse',
  'community',
  'post',
  'reply',
  'article',
  'person',
] as const;

const Highlighted = z
  .array(z.object({ text: z.string(), isMatch: z.boolean() }))
  .describe('The text in pieces, of which some are what was asked for');

export const SearchResult = z
  .object({
    kind: z.enum(SEARCH_KINDS),
    id: z.string().describe('Of the thing itself, in the operations that read it'),
    path: z.string().describe('Of its page'),
    title: Highlighted.describe('Of a reply that of the post it belongs to; empty where there is none'),
    excerpt: Highlighted.describe('Where it says so; empty when only the title does'),
    locale: LocaleCode.nullable().describe('The language of title and excerpt; null for people'),
    place: z
      .object({ title: z.string(), path: z.string() })
      .nullable()
      .describe('The community of a post, the course of a lesson'),
    author: z.object({ id: Uuid, name: z.string() }).nullable().describe('Of a post, a reply or an article'),
    createdAt: Timestamp.nullable(),
  })
  .meta({ id: 'SearchResult' });
export type SearchResult = z.output<typeof SearchResult>;

export const search = endpoint({
  name: 'search',
  service: 'search',
  method: 'GET',
  path: '/results',
  auth: 'none',
  extension: true,
  summary: 'find lessons, courses, communities, posts, articles and people',
  description:
    'All words must be there, in any of their forms and whatever their accents; "words in quotes" stand together, `or` is either, `-word` is without. Best first, and of what is equally good the newest. Only what the caller may read is found: what is said where they may see it, lessons of journeys they have a place in, people whose profile is public. Where nothing has the words, titles that are written almost so are found. Without `group`, the first 5 of each.',
  query: z.object({
    q: text({ min: 1, max: MAX_SEARCH_LENGTH, name: 'q' }),
    group: z.enum(SEARCH_GROUPS).optional(),
    limit: limitParam(20, 50),
    offset: z
      .string()
      .regex(/^\d{1,3}$/, 'Must be a whole number, at most 999')
      .transform(Number)
      .default(0),
    locale: LocaleCode.optional(),
  }),
  replies: {
    200: z.object({
      groups: z.array(
        z.object({
          group: z.enum(SEARCH_GROUPS),
          results: z.array(SearchResult),
          more: z.boolean().describe('There are more of this group'),
        }),
      ),
      isNearly: z
        .boolean()
        .describe('No text has the words: those found, people aside, have a title that is written almost so'),
    }),
  },
});

export const findMovedPage = endpoint({
  name: 'findMovedPage',
  service: 'search',
  method: 'GET',
  path: '/moved-page',
  auth: 'none',
  extension: true,
  summary: 'where a page is whose slug has changed',
  description:
    'Of a course, a lesson, an academy, a microcourse or a community, and of what stands below it. Slugs of what the caller may not know of stay as they were given. 404 when nothing of the path has changed.',
  query: z.object({ path: text({ min: 1, max: 1000, name: 'path' }).describe('As it was, /courses/old-slug') }),
  replies: { 200: z.object({ path: z.string().describe('Of the page now') }) },
  errors: ['request.not_found'],
});
