import { z } from 'zod';
import { Day, limitParam, LocaleCode, SlugParam, text, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

export const MAX_SEARCH_LENGTH = 200;
/** Results per group when no group is given. */
export const GROUP_SIZE = 5;

export const SEARCH_GROUPS = ['learning', 'communities', 'posts', 'articles', 'people'] as const;
/** Periods that end now. */
export const SEARCH_PERIODS = ['week', 'month', 'year'] as const;
export const SEARCH_KINDS = [
  'academy',
  'course',
  'lesson',
  'microcourse',
  'question',
  'solution',
  'hub',
  'event',
  'community',
  'post',
  'reply',
  'discussion',
  'article',
  'person',
] as const;

const Highlighted = z
  .array(z.object({ text: z.string(), isMatch: z.boolean() }))
  .describe('The text in parts; matches are marked');

export const SearchResult = z
  .object({
    kind: z.enum(SEARCH_KINDS),
    id: z.string().describe('Id in the operations that read the item'),
    path: z.string().describe('Path of its page'),
    title: Highlighted.describe(
      'For a reply, the title of its post; for a lesson discussion, the title of its lesson; empty when there is none',
    ),
    excerpt: Highlighted.describe('The matching passage; empty when only the title matches'),
    locale: LocaleCode.nullable().describe('Language of title and excerpt; null for people'),
    place: z
      .object({ title: z.string(), path: z.string() })
      .nullable()
      .describe('The community of a post or the course of a lesson or lesson discussion'),
    author: z
      .object({ id: Uuid, name: z.string() })
      .nullable()
      .describe('The author of a post, reply, lesson discussion or article'),
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
  summary: 'Find lessons, courses, communities, posts, articles and people',
  description:
    'All words must match, in any inflected form and ignoring accents. "Words in quotes" must be adjacent, `or` matches either side, `-word` excludes a word. Best matches first, then newest. Results contain only what the caller may read: visible texts, lessons of journeys they are enrolled in and the discussions there, people with a public profile. If nothing matches, titles with similar spelling are returned. Without `group`, returns the first 5 of each group. Filters are combined. A filter by author or time leaves posts, replies, lesson discussions and articles; one by community leaves its page, posts and replies; any filter leaves out people. A community or author that does not exist or is hidden from the caller gives no results.',
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
    language: LocaleCode.optional().describe('Only texts in this language'),
    community: SlugParam.optional().describe('Only this community, by its slug'),
    author: Uuid.optional().describe('Only texts of this person, by id'),
    within: z.enum(SEARCH_PERIODS).optional().describe('Only texts of the last 7, 30 or 365 days'),
    from: Day.optional().describe('Only texts of this day (UTC) or later'),
    to: Day.optional().describe('Only texts of this day (UTC) or earlier'),
  }),
  replies: {
    200: z.object({
      groups: z.array(
        z.object({
          group: z.enum(SEARCH_GROUPS),
          results: z.array(SearchResult),
          more: z.boolean().describe('More results exist in this group'),
        }),
      ),
      isNearly: z.boolean().describe('No exact match: the results, except people, have titles with similar spelling'),
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
  summary: 'Find the current path of a page whose slug changed',
  description:
    'Covers courses, lessons, academies, microcourses, questions, solution articles, hubs, communities and pages below them. Slugs of content hidden from the caller are returned unchanged. 404 when no part of the path has changed.',
  query: z.object({
    path: text({ min: 1, max: 1000, name: 'path' }).describe('The former path, such as /courses/old-slug'),
  }),
  replies: { 200: z.object({ path: z.string().describe('The current path') }) },
  errors: ['request.not_found'],
});
