import type { Locale } from '@officium/contract/common';
import type { Activity } from '@officium/contract/community';
import { createTranslator, type Translator } from '@officium/i18n/catalogue';
import type { z } from 'zod';
import { ANONYMOUS } from '#server/access/viewer.ts';
import { listActivities } from '#server/areas/community/posts/activity.service.ts';
import { readCommunity } from '#server/areas/community/members/community.service.ts';
import { listArticlesFor } from '#server/areas/articles/article.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { pagePath } from '#server/page-address.ts';
import { markdownToPlainText } from '#server/text/markdown.ts';
import type { Entry, Feed } from './atom.ts';
import { findUpdates } from './listing.repository.ts';
import { nameOf } from './person.ts';

const ENTRIES = 30;
const SUMMARY_LENGTH = 600;
/** Only this much of a post is rendered for its summary: thirty of the longest posts would take seconds per request. */
const READ_LENGTH = 4_000;

/** The newest articles. */
export async function articleFeed(ctx: Ctx, locale: Locale): Promise<Feed> {
  const { publicUrl } = ctx.config;
  const { t } = createTranslator(locale);
  const { articles } = await listArticlesFor(ctx, ANONYMOUS, { limit: ENTRIES, offset: 0 });
  const updates = await findUpdates(
    ctx.db,
    articles.map(({ slug }) => slug),
  );
  return {
    self: `${publicUrl}/articles/feed.xml?locale=${locale}`,
    page: `${publicUrl}/articles`,
    title: `${t('article.list_title')} · ${ctx.site.current().name}`,
    subtitle: t('article.list_intro'),
    locale,
    entries: articles.map(({ slug, title, subtitle, tldr, author, publishedDate, ...article }) => ({
      url: `${publicUrl}${pagePath(['article', slug])}`,
      title,
      summary: tldr ? `${subtitle}\n\n${tldr}` : subtitle,
      author: nameOf(author, t),
      locale: article.locale,
      publishedAt: publishedDate,
      updatedAt: updates.get(slug)?.toISOString() ?? publishedDate,
    })),
  };
}

/** The latest posts of a community that is open to everybody and listed; any other is answered as missing. */
export async function communityFeed(ctx: Ctx, slug: string, locale: Locale): Promise<Feed> {
  const reader = { viewer: ANONYMOUS, locale };
  const community = await readCommunity(ctx, reader, slug);
  if (community.privacy !== 'open-visible') throw notFound();
  const feed = { slug, ranking: 'recent_with_pin', limit: ENTRIES, offset: 0 } as const;
  const listed = await listActivities(ctx, reader, feed);
  const text = typeof listed === 'string' ? listed : listed.body.toString();
  const { results } = JSON.parse(text) as { results: z.output<typeof Activity>[] }; // the contract's reply, as text
  const { publicUrl } = ctx.config;
  const page = `${publicUrl}${pagePath(['community', slug])}`;
  const { t } = createTranslator(locale);
  return {
    self: `${page}/feed.xml?locale=${locale}`,
    page,
    title: `${community.title} · ${ctx.site.current().name}`,
    subtitle: community.description,
    locale,
    // By time: the community's own page puts pinned posts first.
    entries: results
      .map((activity) => entryOf(activity, `${publicUrl}${pagePath(['post', slug, activity.id])}`, t))
      .toSorted((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1)),
  };
}

function entryOf(activity: z.output<typeof Activity>, url: string, t: Translator['t']): Entry {
  const { title, body, locale, mentioned_users, actor, createdAt, updatedAt } = activity;
  const author = nameOf(actor, t);
  const names = mentioned_users as Record<string, { name: string } | undefined>; // by id, as in the contract
  const text = markdownToPlainText((body ?? '').slice(0, READ_LENGTH)).replace(
    /\{\{([0-9a-f-]{36})\}\}/gi,
    (_, user: string) => names[user.toLowerCase()]?.name ?? '…',
  );
  return {
    url,
    title: title ?? t('community.post_by', { name: author }),
    summary: [...text].length > SUMMARY_LENGTH ? `${[...text].slice(0, SUMMARY_LENGTH).join('')}…` : text,
    author,
    locale,
    publishedAt: createdAt,
    updatedAt,
  };
}
