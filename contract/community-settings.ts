import { z } from 'zod';
import { booleanParam, LocaleCode, SlugParam, text } from './common.ts';
import { endpoint } from './endpoint.ts';

export const MAX_RULES = 20;
export const MAX_RULE_LENGTH = 1000;
export const MAX_SLOW_MODE_SECONDS = 86_400;
export const MAX_POSTS_PER_DAY = 1000;

const Limits = {
  slowModeSeconds: z
    .int()
    .min(0)
    .max(MAX_SLOW_MODE_SECONDS)
    .describe('Minimum seconds between two posts or replies of one user; 0: no limit'),
  postsPerDay: z
    .int()
    .min(1)
    .max(MAX_POSTS_PER_DAY)
    .nullable()
    .describe('Posts and polls one user may create a day (UTC); null: no limit'),
};

const pageTexts = {
  title: text({ min: 1, max: 200, name: 'Title' }),
  description: text({ max: 5000, name: 'Description' }),
  categories: z
    .array(text({ min: 1, max: 64, name: 'Category' }))
    .max(100, 'At most 100 categories')
    .refine((all) => new Set(all).size === all.length, 'Each category once'),
};

export const CommunityPageTexts = z
  .object({ locale: LocaleCode.describe('Language of the title and the description'), ...pageTexts })
  .meta({ id: 'CommunityPageTexts' });
export type CommunityPageTexts = z.output<typeof CommunityPageTexts>;

export const CommunitySettings = z
  .object({
    locale: LocaleCode.describe('Language of the rules'),
    rules: z
      .array(z.object({ text: z.string(), html: z.string() }))
      .describe('The rules in order; they are numbered from 1'),
    ...Limits,
    waitSeconds: z
      .object({ post: z.int(), reply: z.int() })
      .describe('Seconds until the caller may write again; 0: now'),
    canEdit: z.boolean(),
    page: CommunityPageTexts.optional().describe('With `withPage`, for those who may edit it'),
  })
  .meta({ id: 'CommunitySettings' });
export type CommunitySettings = z.output<typeof CommunitySettings>;

export const readCommunitySettings = endpoint({
  name: 'readCommunitySettings',
  service: 'community',
  method: 'GET',
  path: '/communities/{slug}/settings',
  auth: 'none',
  extension: true,
  summary: 'Read the rules and posting limits of a community',
  description: 'Available to everyone who may see the community page.',
  params: z.object({ slug: SlugParam }),
  query: z.object({ withPage: booleanParam.default(false) }),
  replies: { 200: CommunitySettings },
});

export const updateCommunitySettings = endpoint({
  name: 'updateCommunitySettings',
  service: 'community',
  method: 'PUT',
  path: '/communities/{slug}/settings',
  auth: 'user',
  extension: true,
  summary: 'Set the rules and posting limits of a community',
  description:
    'Only for owners and administrators. Moderators are not limited. A post or reply before the interval has passed is 429 with Retry-After. `page` also publishes the title, description and categories in the main language of the community; other languages and the cover stay.',
  params: z.object({ slug: SlugParam }),
  body: z.object({
    locale: LocaleCode,
    rules: z.array(text({ min: 1, max: MAX_RULE_LENGTH, name: 'Rule' })).max(MAX_RULES, `At most ${MAX_RULES} rules`),
    ...Limits,
    page: z.strictObject(pageTexts).optional(),
  }),
  replies: { 200: CommunitySettings },
});
