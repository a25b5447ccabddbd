import { z } from 'zod';
import { ARTICLE_TAGS, ArticleTagInput } from './content.ts';
import { LocaleCode, SlugParam, Timestamp, Uuid } from './common.ts';
import { endpoint } from './endpoint.ts';

/** Errors of these operations, with their status. */
export const followErrors = {
  'follows.yourself': { status: 400, message: 'You cannot follow or mute yourself.' },
  'follows.too_many': { status: 409, message: 'You follow and mute as much as is possible. Remove something first.' },
} as const;

/** The most things a person follows and mutes together. */
export const MAX_FOLLOWS = 500;

export const FOLLOW_KINDS = ['community', 'thread', 'person', 'topic'] as const;
export const FOLLOW_LEVELS = ['watching', 'normal', 'muted'] as const;
export type FollowKind = (typeof FOLLOW_KINDS)[number];
export type FollowLevel = (typeof FOLLOW_LEVELS)[number];

const Level = z.enum(FOLLOW_LEVELS);

export const Follow = z
  .object({
    kind: z.enum(FOLLOW_KINDS),
    id: z
      .string()
      .describe(
        'The slug of a community, the id of the post that begins a thread or of a person, or the name of a topic',
      ),
    title: z
      .string()
      .nullable()
      .describe('In the requested language if available; null for a post without a title and for topics'),
    place: z.string().nullable().describe('The title of the community of a thread'),
    path: z.string().nullable().describe('Path of its page; null for topics'),
    level: Level,
    since: Timestamp.nullable().describe('When the level was set; null for `normal`'),
  })
  .meta({ id: 'Follow' });
export type Follow = z.output<typeof Follow>;

const LocaleQuery = z.object({ locale: LocaleCode.optional() });

export const listFollows = endpoint({
  name: 'listFollows',
  service: 'notifications',
  method: 'GET',
  path: '/follows',
  auth: 'user',
  extension: true,
  summary: 'List what I follow and mute, newest first',
  description: `Contains only what the caller may see now. At most ${MAX_FOLLOWS}.`,
  query: LocaleQuery,
  replies: { 200: z.object({ follows: z.array(Follow) }) },
});

const InCommunity = z.object({ slug: SlugParam });
const OfThread = z.object({ id: Uuid.describe('Id of the post that begins the thread') });
const OfPerson = z.object({ id: Uuid });
const Choice = z.strictObject({ level: Level });
const shared = { service: 'notifications', auth: 'user', extension: true, query: LocaleQuery } as const;
const replies = { 200: Follow };
/** Pages with texts of many people collapse those of the muted. */
const withMuted = {
  200: Follow.extend({ mutedPeople: z.array(Uuid).describe('Ids of the people whom the caller has muted') }),
};

export const readCommunityFollow = endpoint({
  ...shared,
  name: 'readCommunityFollow',
  method: 'GET',
  path: '/follows/communities/{slug}',
  summary: 'Read my level for a community',
  params: InCommunity,
  replies: withMuted,
  errors: ['request.not_found', 'auth.forbidden'],
});

export const setCommunityFollow = endpoint({
  ...shared,
  name: 'setCommunityFollow',
  method: 'PUT',
  path: '/follows/communities/{slug}',
  summary: 'Watch or mute a community',
  description:
    '`watching`: notified of each new post · `normal`: notified of mentions and of replies to own texts · `muted`: notified of mentions only, and its posts are left out of the front page. Leaving a community ends the watching of it and of its threads.',
  params: InCommunity,
  body: Choice,
  replies,
  errors: ['request.not_found', 'auth.forbidden', 'follows.too_many'],
});

export const readThreadFollow = endpoint({
  ...shared,
  name: 'readThreadFollow',
  method: 'GET',
  path: '/follows/activities/{id}',
  summary: 'Read my level for a thread',
  params: OfThread,
  replies: withMuted,
  errors: ['request.not_found', 'auth.forbidden'],
});

export const setThreadFollow = endpoint({
  ...shared,
  name: 'setThreadFollow',
  method: 'PUT',
  path: '/follows/activities/{id}',
  summary: 'Watch or mute a thread',
  description:
    '`watching`: notified of each new reply · `normal`: notified of mentions and of replies to own texts · `muted`: notified of mentions only.',
  params: OfThread,
  body: Choice,
  replies,
  errors: ['request.not_found', 'auth.forbidden', 'follows.too_many'],
});

export const readPersonFollow = endpoint({
  ...shared,
  name: 'readPersonFollow',
  method: 'GET',
  path: '/follows/people/{id}',
  summary: 'Read my level for a person',
  params: OfPerson,
  replies,
  errors: ['request.not_found', 'follows.yourself'],
});

export const setPersonFollow = endpoint({
  ...shared,
  name: 'setPersonFollow',
  method: 'PUT',
  path: '/follows/people/{id}',
  summary: 'Follow or mute a person',
  description:
    '`watching`: notified of their new articles and of their new posts in communities that both may read · `muted`: no notifications caused by them; their texts are collapsed. They are not told.',
  params: OfPerson,
  body: Choice,
  replies,
  errors: ['request.not_found', 'follows.yourself', 'follows.too_many'],
});

export const setTopicFollow = endpoint({
  ...shared,
  name: 'setTopicFollow',
  method: 'PUT',
  path: '/follows/topics/{topic}',
  summary: 'Follow a topic',
  description: `\`watching\`: notified of new articles with this topic. Topics: ${ARTICLE_TAGS.join(', ')}.`,
  params: z.object({ topic: ArticleTagInput }),
  body: z.strictObject({ level: z.enum(['watching', 'normal']) }),
  replies,
  errors: ['follows.too_many'],
});
