import { z } from 'zod';
import { LocaleCode, SlugParam, text } from './common.ts';
import { MAX_TITLE_LENGTH } from './community.ts';
import { endpoint } from './endpoint.ts';

export const MAX_SHARED_COMMUNITIES = 3;
export const NO_MESSAGE = 'Title must have at least 1 character';

/** A message, and the communities that get it as a post with what is shared. */
export const CommunityShare = z.object({
  title: text({ min: 1, max: MAX_TITLE_LENGTH, name: 'Title' }).describe(
    "The sender's message as plain text; markup is removed",
  ),
  communities: z
    .array(SlugParam)
    .min(1, 'At least 1 community')
    .max(MAX_SHARED_COMMUNITIES, `At most ${MAX_SHARED_COMMUNITIES} communities`)
    .transform((slugs) => [...new Set(slugs)])
    .describe('Community slugs; duplicates count once'),
  locale: LocaleCode.optional().describe('Language of the message; defaults to that of the request'),
});

const successful = z.array(z.string()).describe('Slugs of the communities that now have it');

/** 207: some or all communities failed. */
export const ShareOutcome = {
  201: z.object({ successful }),
  207: z.object({ successful, failed: z.array(z.object({ slug: z.string(), error: z.string() })) }),
} as const;

export const shareArticle = endpoint({
  name: 'shareArticle',
  service: 'content',
  method: 'POST',
  path: '/articles/{slug}/shares',
  auth: 'user',
  summary: 'Share an article to communities',
  description:
    "Creates a post in each community where the caller may post, with the message as its title and the article in `additional_data.article` `{slug, title, subtitle, locale, url, image {src, width, height, alt} | null}`, as it is now, and without it while the article is deleted. 207 when some or all communities failed; hidden and unknown communities get the same error. Repeating the same message within ten minutes creates no further posts. Sharing an article that another user's post brought to the community counts as a share of that post.",
  params: z.object({ slug: SlugParam }),
  body: CommunityShare,
  replies: ShareOutcome,
  errors: ['community.too_early'],
});
