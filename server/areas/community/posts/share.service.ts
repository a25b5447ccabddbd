import type { Locale } from '@officium/contract/common';
import { type CommunityShare, NO_MESSAGE } from '@officium/contract/shares';
import type { z } from 'zod';
import { ANONYMOUS, type UserViewer } from '#server/access/viewer.ts';
import { readArticleBySlug, readHeldArticle } from '#server/areas/articles/article.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, invalid } from '#server/errors.ts';
import { pagePath } from '#server/page-address.ts';
import { isBlank, stripMarkup } from '#server/text/sanitise.ts';
import { BASIC, openWithLevel } from '../members/access.service.ts';
import { insertActivity } from './activity.repository.ts';
import { countShare, insertShare, isSharedAlready, putCards, removeCards } from './share.repository.ts';

export type ShareOutcome = { successful: string[]; failed: { slug: string; error: string }[] };
type Article = Awaited<ReturnType<typeof readArticleBySlug>>;

/** The card of an article in a share. It omits the author, whose name is resolved when shown. */
function cardOf(ctx: Ctx, article: Article): object {
  const { slug, title, subtitle, locale, coverImage } = article;
  const image = coverImage && {
    src: new URL(coverImage.url, ctx.config.publicUrl).href,
    width: coverImage.width,
    height: coverImage.height,
    alt: coverImage.description ?? '',
  };
  return {
    article: { slug, title, subtitle, locale, url: `${ctx.config.publicUrl}${pagePath(['article', slug])}`, image },
  };
}

/** Takes the card of a deleted or removed article out of its shares, of which the messages stay. */
export async function hideShares(db: Db, articleId: string): Promise<void> {
  await removeCards(db, articleId);
}

/** Puts the card of an article into its shares as the article is now. */
export async function showShares(ctx: Ctx, slug: string): Promise<void> {
  const article = await readArticleBySlug(ctx, ANONYMOUS, slug);
  await putCards(ctx.db, { articleId: article.id, card: cardOf(ctx, article) });
}

/** Opens the communities the viewer may post to; errors for the others. Hidden and unknown ones have the same error. */
async function openEach(db: Db, viewer: UserViewer, slugs: string[]) {
  const open: { slug: string; communityId: string }[] = [];
  const failed: ShareOutcome['failed'] = [];
  for (const slug of slugs) {
    try {
      const { community } = await openWithLevel(db, viewer, slug, BASIC);
      open.push({ slug, communityId: community.id });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.push({ slug, error: error.message });
    }
  }
  return { open, failed };
}

/** A shared thing. `additionalData` is in the post, for all its readers. `record` notes that the post shares it. */
type Shared = { thingId: string; additionalData: object; record: (db: Db, activityId: string) => Promise<void> };
type Input = z.output<typeof CommunityShare> & { locale: Locale };

/** Posts what is shared, with the sender's message as title, in each community they may post to. */
export async function shareToCommunities(
  ctx: Ctx,
  viewer: UserViewer,
  /** Reads what is shared; its context is in the transaction of the posts. */
  hold: (ctx: Ctx) => Promise<Shared>,
  input: Input,
): Promise<ShareOutcome> {
  const title = stripMarkup(input.title);
  if (isBlank(title)) throw invalid('title', NO_MESSAGE);
  return await inTransaction(ctx.db, async (trx) => {
    const { thingId, additionalData, record } = await hold({ ...ctx, db: trx });
    const { open, failed } = await openEach(trx, viewer, input.communities);
    // One lock order for all: concurrent shares to the same communities must not deadlock.
    for (const { communityId } of open.toSorted((a, b) => (a.communityId < b.communityId ? -1 : 1))) {
      const share = { thingId, communityId, userId: viewer.id };
      if (await isSharedAlready(trx, { ...share, title })) continue;
      await countShare(trx, share);
      const activityId = await insertActivity(trx, {
        communityId,
        authorId: viewer.id,
        verb: 'post',
        title,
        body: null,
        bodyHtml: null,
        locale: input.locale,
        additionalData,
      });
      await record(trx, activityId);
    }
    return { successful: open.map((community) => community.slug), failed };
  });
}

/** Shares an article, with its card in the posts. */
export async function shareArticle(ctx: Ctx, viewer: UserViewer, slug: string, input: Input): Promise<ShareOutcome> {
  const hold = async (inside: Ctx) => {
    // Held, so that a deletion or change of the article finds the new posts, or they find it.
    const article = await readHeldArticle(inside, viewer, slug);
    const record = (db: Db, activityId: string) => insertShare(db, { activityId, articleId: article.id });
    return { thingId: article.id, additionalData: cardOf(ctx, article), record };
  };
  return await shareToCommunities(ctx, viewer, hold, input);
}
