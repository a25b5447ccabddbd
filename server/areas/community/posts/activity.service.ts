import type { ActivityCreate, ActivityUpdate } from '@officium/contract/community';
import { NOTHING_WRITTEN } from '@officium/contract/community';
import type { z } from 'zod';
import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { takeWriting } from '#server/limits/limits.ts';
import { stripMarkup } from '#server/text/sanitise.ts';
import type { CommunityAccessRow } from '../members/access.repository.ts';
import {
  actIn,
  BASIC,
  type CommunityAccess,
  openCommunity,
  openContent,
  requireLevel,
} from '../members/access.service.ts';
import { canDelete, canEdit } from './activity.policy.ts';
import * as repository from './activity.repository.ts';
import { writeBody } from './body.service.ts';
import { allowancesOf, takeMentions } from './mention.service.ts';
import type { LocalViewer } from '../viewer.sql.ts';
import { placePictures, writeWithPictures } from '../pictures/picture.service.ts';
import { newPostText } from '../reading/post.view.ts';
import { readFeed, readPlacedPost, readAnonymousFeed, type AnonymousFeed } from '../reading/post.service.ts';
import { walkFeed } from '../reading/feed-walk.service.ts';
import type { FeedRequest } from '../reading/post-skeleton.repository.ts';
import { notifyOfRemoval } from './removal.service.ts';

type FeedQuery = Omit<FeedRequest, 'category'> & { category?: string };

const toFeed = (query: FeedQuery): FeedRequest => ({ ...query, category: query.category || undefined });

/** A page of a walk through a community's feed by cursor: the contract's reply as JSON text. */
export async function walkActivities(
  ctx: Ctx,
  localViewer: LocalViewer,
  { cursor, ...query }: FeedQuery & { cursor: string },
  address: string | undefined,
): Promise<string> {
  return await walkFeed(ctx, localViewer, toFeed(query), { cursor, address });
}

/** A page of a community's feed: the contract's reply as JSON text, or the shared answer for anonymous viewers. */
export async function listActivities(
  ctx: Ctx,
  localViewer: LocalViewer,
  request: FeedQuery,
): Promise<string | AnonymousFeed> {
  const feed = toFeed(request);
  const isAnonymous = localViewer.viewer.kind === 'anonymous';
  return await (isAnonymous ? readAnonymousFeed(ctx, localViewer, feed) : readFeed(ctx, localViewer, feed));
}

/** Sanitises and checks the texts of a post for a community. */
async function writeTexts(
  db: Db,
  community: CommunityAccessRow,
  input: z.output<typeof ActivityUpdate>,
): Promise<repository.ActivityTexts> {
  const unknown = input.categories.find((category) => !community.categories.includes(category));
  if (unknown !== undefined)
    throw invalid(
      'categories',
      community.categories.length > 0
        ? `Unknown category '${unknown}'. The categories of this community are ${community.categories.join(', ')}`
        : 'This community has no categories',
    );
  const title = stripMarkup(input.title ?? '') || null;
  const written = await writeBody(db, { communityId: community.id }, input.body);
  if (title === null && written.body === null) throw invalid('body', NOTHING_WRITTEN);
  // Pages show `article` as the card of a shared article, which only a share writes.
  const { article: _, ...additionalData } = input.additional_data;
  return { title, ...written, categories: input.categories, additionalData };
}

/** Posts to a community and returns the activity as JSON text. */
export async function createActivity(
  ctx: Ctx,
  localViewer: LocalViewer<UserViewer>,
  slug: string,
  input: z.output<typeof ActivityCreate>,
): Promise<string> {
  const { viewer, locale } = localViewer;
  const allowances = allowancesOf(ctx, viewer);
  const { added, access } = await actIn(ctx.db, viewer, slug, async (access, expected) => {
    requireLevel(access, BASIC);
    await allowances.takeWriting(input);
    const { community } = access;
    const texts = await writeTexts(ctx.db, community, input);
    await allowances.takeMentions(texts.mentioned);
    const activity = {
      ...texts,
      communityId: community.id,
      authorId: viewer.id,
      verb: 'post',
      locale: input.locale ?? locale,
    } as const;
    const text = { ...texts, authorId: viewer.id, place: { communityId: community.id } };
    const insert = async (db: Db) => await repository.insertPost(db, localViewer, activity, expected);
    const added = await writeWithPictures(ctx.db, text, insert, (written) => written?.post.id);
    return added && { added, access };
  });
  const { community, level, isTop, isShutOut } = access;
  return newPostText(viewer, added, { slug: community.slug, level, isTop, isShutOut });
}

/** Locks an activity. The access is read under the lock, since the viewer may lose it while waiting. */
async function lockToChange(
  trx: Db,
  viewer: UserViewer,
  { id: communityId, slug }: CommunityAccessRow,
  activityId: string,
): Promise<{ activity: repository.LockedActivity; access: CommunityAccess }> {
  const activity = await repository.lockActivity(trx, { communityId }, { activityId });
  if (!activity) throw notFound();
  return { activity, access: await openCommunity(trx, viewer, slug) };
}

/** Replaces the content of a post, by its author, and returns it as JSON text. */
export async function updateActivity(
  ctx: Ctx,
  localViewer: LocalViewer<UserViewer>,
  at: { slug: string; id: string },
  input: z.output<typeof ActivityUpdate>,
): Promise<string> {
  const { community } = await openContent(ctx.db, localViewer.viewer, at.slug);
  return await inTransaction(ctx.db, async (trx) => {
    const { activity, access } = await lockToChange(trx, localViewer.viewer, community, at.id);
    if (!canEdit(localViewer.viewer.id, access, activity)) throw new AppError('auth.forbidden');
    if (activity.verb === 'poll') throw new AppError('community.poll_fixed');
    await takeWriting(ctx, localViewer.viewer.id, input);
    const texts = await writeTexts(trx, community, input);
    await takeMentions(ctx, localViewer.viewer, texts.mentioned, activity.mentioned);
    await repository.updateActivity(trx, activity, texts);
    const place = { communityId: community.id };
    await placePictures(trx, activity.id, { ...texts, authorId: activity.authorId, place });
    await repository.notifyOfActivityEdit(trx, activity, texts.mentioned);
    return await readPlacedPost({ ...ctx, db: trx }, localViewer, { place, rights: access, id: at.id });
  });
}

/** Deletes a post or a poll with its reactions. `reason`: a moderator's reason. */
export async function deleteActivity(
  ctx: Ctx,
  viewer: UserViewer,
  at: { slug: string; id: string },
  reason?: string,
): Promise<void> {
  const { community } = await openContent(ctx.db, viewer, at.slug);
  await inTransaction(ctx.db, async (trx) => {
    const { activity, access } = await lockToChange(trx, viewer, community, at.id);
    if (!canDelete(viewer.id, access, activity)) throw new AppError('auth.forbidden');
    await repository.deleteActivity(trx, activity, viewer.id);
    if (activity.authorId !== viewer.id) {
      await notifyOfRemoval(trx, activity.id);
      await recordAction(trx, viewer, {
        action: 'community.delete-activity',
        object: activity.id,
        detail: { authorId: activity.authorId, communityId: activity.communityId, reason },
      });
    }
  });
}
