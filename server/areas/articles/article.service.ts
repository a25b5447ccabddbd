import type { Locale } from '@officium/contract/common';
import {
  ARTICLE_LIMITS,
  type ArticleCard,
  type ArticleInput,
  type ArticleTag,
  type previewArticle as previewOperation,
  type readArticle,
} from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { createTranslator } from '@officium/i18n/catalogue';
import { isUser, type UserViewer, type Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { takeWriting } from '#server/limits/limits.ts';
import { markdownToPlainText } from '#server/text/markdown.ts';
import { readingMinutes } from '#server/text/reading-time.ts';
import { isBlank, sanitiseRichText, stripMarkup } from '#server/text/sanitise.ts';
import { canEditArticle, canReadArticles, canWriteArticles } from './article.policy.ts';
import * as articles from './article.repository.ts';
import type { ArticleText } from './article.repository.ts';
import { slugCandidates } from './article-slug.policy.ts';
import { toArticle, toArticleCard } from './article.view.ts';
import { renderPage } from '#server/text/page.ts';

/** Publishes an article and answers its slug. `publishedDate` is for what was written before it came here. */
export async function publishArticle(
  ctx: Ctx,
  actor: UserViewer,
  input: ArticleInput & { locale: Locale; publishedDate?: Date },
): Promise<{ slug: string }> {
  if (!canWriteArticles(actor)) throw new AppError('auth.forbidden');
  await takeWriting(ctx, actor.id, input);
  const text = toText(input, input.locale);
  return await inTransaction(ctx.db, async (db) => {
    for (const slug of slugCandidates(text.title)) {
      const id = await articles.insertArticle(db, {
        ...text,
        slug,
        authorId: actor.id,
        publishedDate: input.publishedDate,
      });
      if (id !== undefined) return { slug };
    }
    throw new AppError('content.slug_taken');
  });
}

/** Replaces an article of the actor's own. The language it is in changes only when it is named. */
export async function editArticle(ctx: Ctx, actor: UserViewer, slug: string, input: ArticleInput): Promise<void> {
  await inTransaction(ctx.db, async (db) => {
    const article = await articles.lockArticle(db, slug);
    if (!article) throw notFound();
    if (!canEditArticle(actor, article)) throw new AppError('auth.forbidden');
    await takeWriting(ctx, actor.id, input);
    await articles.updateArticle(db, article.id, toText(input, input.locale ?? article.locale));
  });
}

/** Cleans what was written; what is left must still reach the limits. */
function toText(input: ArticleInput, locale: Locale): ArticleText {
  const title = plain('title', input.title, ARTICLE_LIMITS.title);
  const subtitle = plain('subtitle', input.subtitle, ARTICLE_LIMITS.subtitle);
  const { body, html, headings, minutes } = renderArticleBody(input.body, locale);
  if ([...body].length < ARTICLE_LIMITS.bodyMin) throw outside('body', `at least ${ARTICLE_LIMITS.bodyMin}`);
  const { humanTranslation, tags, coverImage, tldr } = input;
  return {
    title,
    subtitle,
    body,
    bodyHtml: html,
    headings,
    humanTranslation,
    tags,
    locale,
    tldr: tldr === null ? null : stripMarkup(tldr, { multiline: true }) || null,
    coverImage: coverImage && {
      ...coverImage,
      authorName: plain('coverImage.authorName', coverImage.authorName, ARTICLE_LIMITS.authorName),
      title: coverImage.title && stripMarkup(coverImage.title),
      description: coverImage.description && stripMarkup(coverImage.description),
    },
    minutes,
  };
}

/** The text of an article as it is kept and as it is shown. */
export function renderArticleBody(source: string, locale: Locale) {
  const body = sanitiseRichText(source).trim();
  const { html, headings } = renderPage(body, {
    resolveImage: (src) => (src.startsWith('https://') ? src : undefined),
    tableLabel: createTranslator(locale).t('content.table'),
  });
  return { body, html, headings, minutes: readingMinutes(markdownToPlainText(body)) };
}

/** What the text of an article will look like; nothing is kept. */
export function previewArticle(source: string, locale: Locale): ReplyOf<typeof previewOperation> {
  const { html, minutes } = renderArticleBody(source, locale);
  return { html, minutes };
}

/** One line without markup, within its limits as it is kept. */
function plain(path: string, value: string, { min, max }: { min: number; max: number }): string {
  const text = stripMarkup(value);
  const length = isBlank(text) ? 0 : [...text].length;
  if (length < min) throw outside(path, `at least ${min}`);
  if (length > max) throw outside(path, `at most ${max}`);
  return text;
}

const NAMES: Record<string, string> = { title: 'Title', subtitle: 'Subtitle', body: 'Body' };

function outside(path: string, limit: string): AppError {
  return invalid(
    path,
    `${NAMES[path] ?? 'Author name'} must have ${limit} character${limit.endsWith(' 1') ? '' : 's'}`,
  );
}

export type ArticleQuery = {
  limit: number;
  offset: number;
  tag?: ArticleTag | undefined;
  author?: string | undefined;
  language?: Locale | undefined;
  mine?: boolean | undefined;
};

/** Articles, newest first. */
export async function listArticlesFor(
  ctx: Ctx,
  viewer: Viewer,
  { author, mine, ...query }: ArticleQuery,
): Promise<{ articles: ArticleCard[]; total: number }> {
  if (mine && !isUser(viewer)) throw new AppError(viewer.kind === 'anonymous' ? 'auth.required' : 'auth.forbidden');
  if (!canReadArticles(viewer)) return { articles: [], total: 0 };
  const authorId = mine && isUser(viewer) ? viewer.id : author;
  const { rows, total } = await articles.findArticles(ctx.db, { ...query, authorId });
  return { articles: rows.map((row) => toArticleCard(row, viewer)), total };
}

export async function readArticleBySlug(ctx: Ctx, viewer: Viewer, slug: string): Promise<ReplyOf<typeof readArticle>> {
  const row = await articles.getArticle(ctx.db, slug);
  if (!row || !canReadArticles(viewer)) throw notFound();
  return toArticle(row, viewer);
}
