import type { Locale } from '@officium/contract/common';
import {
  type ArticleCard,
  type ArticleInput,
  type ArticleTag,
  type previewArticle as previewOperation,
  type readArticle,
} from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import { isUser, type UserViewer, type Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { takeWriting } from '#server/limits/limits.ts';
import {
  canDeleteArticle,
  canEditArticle,
  canModerateArticle,
  canReadArticles,
  canWriteArticles,
} from './article.policy.ts';
import * as articles from './article.repository.ts';
import { findUsable, shownFrom } from './article-picture.service.ts';
import { picturesOf, renderArticleBody, toText } from './article-text.service.ts';
import { placePictures } from './article-picture.repository.ts';
import { slugCandidates } from './article-slug.policy.ts';
import { toArticle, toArticleCard } from './article.view.ts';

/** Publishes an article and returns its slug. `publishedDate` is for articles first published elsewhere. */
export async function publishArticle(
  ctx: Ctx,
  actor: UserViewer,
  input: ArticleInput & { locale: Locale; publishedDate?: Date },
): Promise<{ slug: string }> {
  if (!canWriteArticles(actor)) throw new AppError('auth.forbidden');
  await takeWriting(ctx, actor.id, input);
  const text = await toText(ctx.db, input, { locale: input.locale, authorId: actor.id });
  return await inTransaction(ctx.db, async (db) => {
    for (const slug of slugCandidates(text.title)) {
      const id = await articles.insertArticle(db, {
        ...text,
        slug,
        authorId: actor.id,
        publishedDate: input.publishedDate,
      });
      if (id === undefined) continue;
      await placePictures(db, { articleId: id, authorId: actor.id, ids: picturesOf(text) });
      return { slug };
    }
    throw new AppError('content.slug_taken');
  });
}

/** The cards of an article in the posts that share it. The area of the posts provides them. */
export type ShareCards = {
  hide(db: Db, articleId: string): Promise<void>;
  /** Shows the article as it is now. `ctx.db` is a transaction. */
  show(ctx: Ctx, slug: string): Promise<void>;
};

/** Replaces an article of the actor. Its language changes only when the input names one. */
export async function editArticle(
  ctx: Ctx,
  actor: UserViewer,
  { slug, input, cards, basedOn }: { slug: string; input: ArticleInput; cards: ShareCards; basedOn?: string },
): Promise<void> {
  await inTransaction(ctx.db, async (db) => {
    const article = await articles.lockArticle(db, slug);
    if (!article) throw notFound();
    if (!canEditArticle(actor, article)) throw new AppError('auth.forbidden');
    if (basedOn !== undefined && article.updatedAt.toISOString() !== basedOn)
      throw new AppError('content.changed_meanwhile');
    await takeWriting(ctx, actor.id, input);
    const { id, authorId } = article;
    const text = await toText(db, input, { locale: input.locale ?? article.locale, authorId, articleId: id });
    await articles.updateArticle(db, id, text);
    await placePictures(db, { articleId: id, authorId, ids: picturesOf(text) });
    await cards.show({ ...ctx, db }, slug);
  });
}

/** Deletes an article of the actor, who can restore it for a while. */
export async function deleteArticle(
  ctx: Ctx,
  actor: UserViewer,
  { slug, cards }: { slug: string; cards: ShareCards },
): Promise<void> {
  await inTransaction(ctx.db, async (db) => {
    const article = await articles.lockArticle(db, slug);
    if (!article) throw notFound();
    if (!canDeleteArticle(actor, article)) throw new AppError('auth.forbidden');
    await articles.withdrawArticle(db, { id: article.id, userId: actor.id });
    await cards.hide(db, article.id);
  });
}

/** Restores a deleted article of the actor. Articles of others are as missing as those that are not deleted. */
export async function restoreArticle(
  ctx: Ctx,
  actor: UserViewer,
  { slug, cards }: { slug: string; cards: ShareCards },
): Promise<void> {
  const authorId = actor.id;
  if (!canDeleteArticle(actor, { authorId })) throw new AppError('auth.forbidden');
  await inTransaction(ctx.db, async (db) => {
    if (!(await articles.restoreArticle(db, { slug, authorId }))) throw notFound();
    await cards.show({ ...ctx, db }, slug);
  });
}

/** Removes another person's article as a moderator, with a reason. Returns its slug. `ctx.db` is a transaction. */
export async function removeArticle(
  ctx: Ctx,
  actor: UserViewer,
  { id, reason }: { id: string; reason: string },
): Promise<{ slug: string }> {
  const article = await articles.lockPublished(ctx.db, id);
  if (!article) throw notFound();
  if (!canModerateArticle(actor, article)) throw new AppError('auth.forbidden');
  await articles.withdrawArticle(ctx.db, { id, userId: actor.id });
  const { authorId, slug } = article;
  await recordAction(ctx.db, actor, {
    action: 'articles.remove-article',
    object: id,
    detail: { authorId, slug, reason },
  });
  return { slug };
}

/** Publishes an article again that a moderator removed; undefined when it no longer exists. `db` is a transaction. */
export async function restoreRemovedArticle(db: Db, id: string): Promise<{ slug: string } | undefined> {
  return await articles.publishRemoved(db, id);
}

/** Renders a draft without storing it. Previews count as writing, because long texts take as much work. */
export async function previewArticle(
  ctx: Ctx,
  viewer: UserViewer,
  { source, locale }: { source: string; locale: Locale },
): Promise<ReplyOf<typeof previewOperation>> {
  await takeWriting(ctx, viewer.id, { source });
  const own = await findUsable(ctx.db, { body: source }, { authorId: viewer.id, articleId: 'any' });
  const { html, minutes } = renderArticleBody(source, locale, shownFrom(own));
  return { html, minutes };
}

export type ArticleQuery = {
  limit: number;
  offset: number;
  tag?: ArticleTag | undefined;
  author?: string | undefined;
  language?: Locale | undefined;
  mine?: boolean | undefined;
};

/** Lists articles, newest first. */
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

/** Reads an article and locks it against changes until the end of the transaction of `ctx.db`. */
export async function readHeldArticle(ctx: Ctx, viewer: Viewer, slug: string): Promise<ReplyOf<typeof readArticle>> {
  if (!(await articles.holdPublished(ctx.db, slug))) throw notFound();
  return await readArticleBySlug(ctx, viewer, slug);
}

/** An article for its page, which authors also open after deleting it. */
export async function readArticlePage(ctx: Ctx, viewer: Viewer, slug: string): Promise<ReplyOf<typeof readArticle>> {
  const deleted =
    isUser(viewer) && canReadArticles(viewer)
      ? await articles.getDeletedArticle(ctx.db, { slug, authorId: viewer.id })
      : undefined;
  return deleted ? toArticle(deleted, viewer) : await readArticleBySlug(ctx, viewer, slug);
}
