import { z } from 'zod';
import { LocaleCode, SlugParam, text } from './common.ts';
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
    'Only for owners and administrators. Moderators are not limited. A post or reply before the interval has passed is 429 with Retry-After.',
  params: z.object({ slug: SlugParam }),
  body: z.object({
    locale: LocaleCode,
    rules: z.array(text({ min: 1, max: MAX_RULE_LENGTH, name: 'Rule' })).max(MAX_RULES, `At most ${MAX_RULES} rules`),
    ...Limits,
  }),
  replies: { 200: CommunitySettings },
});
