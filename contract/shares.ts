import { z } from 'zod';
import { LocaleCode, SlugParam, text } from './common.ts';
import { MAX_TITLE_LENGTH } from './community.ts';
import { endpoint } from './endpoint.ts';

export const MAX_SHARED_COMMUNITIES = 3;
export const NO_MESSAGE = 'Title must have at least 1 character';

export const ArticleShare = z.object({
  title: text({ min: 1, max: MAX_TITLE_LENGTH, name: 'Title' }).describe(
    'The sender’s message. Plain text; markup is taken out',
  ),
  communities: z
    .array(SlugParam)
    .min(1, 'At least 1 community')
    .max(MAX_SHARED_COMMUNITIES, `At most ${MAX_SHARED_COMMUNITIES} communities`)
    .transform((slugs) => [...new Set(slugs)])
    .describe('Slugs; one named twice counts once'),
  locale: LocaleCode.optional().describe('The language of the message; the locale of the request when left out'),
});

const successful = z.array(z.string()).describe('Slugs of the communities that have it now');

export const shareArticle = endpoint({
  name: 'shareArticle',
  service: 'content',
  method: 'POST',
  path: '/articles/{slug}/shares',
  auth: 'user',
  summary: 'share an article to communities',
  description:
    'In each community where the caller may post, a post appears with the message as its title and the article in ' +
    '`additional_data.article` `{slug, title, subtitle, locale, url, image {src, width, height, alt} | null}`. 207 when ' +
    'some or all could not be done; the same message again within ten minutes posts nothing more; a hidden and an unknown community have the same error. Sharing what another ' +
    'person’s post brought to the community before counts as a share of that post.',
  params: z.object({ slug: SlugParam }),
  body: ArticleShare,
  replies: {
    201: z.object({ successful }),
    207: z.object({ successful, failed: z.array(z.object({ slug: z.string(), error: z.string() })) }),
  },
  errors: ['community.too_early'],
});
