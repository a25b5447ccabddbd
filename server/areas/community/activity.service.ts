import type { ActivityCreate, ActivityUpdate } from '@officium/contract/community';
import { NOTHING_WRITTEN } from '@officium/contract/community';
import type { z } from 'zod';
import { recordAction } from '#server/access/audit.ts';
import { type UserViewer, viewerId } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { gathered } from '#server/db/gather.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { takeWriting } from '#server/http/limits.ts';
import { stripMarkup } from '#server/text/sanitise.ts';
import type { AccessRow } from './access.repository.ts';
import {
  actIn,
  BASIC,
  type CommunityAccess,
  enterContent,
  openCommunity,
  openContent,
  requireLevel,
  toAccess,
} from './access.service.ts';
import { canDelete, canEdit } from './activity.policy.ts';
import * as repository from './activity.repository.ts';
import { writeBody } from './body.service.ts';
import { takeMentions } from './mention.service.ts';
import { firstPageOf, kindOf, readFirstPage, readSharedAnswer, type SharedAnswer } from './feed-page.service.ts';
import { nextOffset } from './page.ts';
import type { Reader } from './reader.sql.ts';

/** A page of a community's feed: the contract's reply as JSON text, or what all who are not signed in get. */
export async function listActivities(
  ctx: Ctx,
  reader: Reader,
  asked: Omit<repository.FeedRequest, 'category'> & { category?: string },
): Promise<string | SharedAnswer> {
  const feed = { ...asked, category: asked.category || undefined };
  const first = firstPageOf(reader, feed);
  if (first) {
    const isStranger = reader.viewer.kind === 'anonymous';
    const page = await (isStranger ? readSharedAnswer(ctx, reader, first) : readFirstPage(ctx, reader, first));
    if (page !== undefined) return page;
  }
  const row = await repository.findFeed(ctx.pool, reader, feed);
  await enterContent(ctx.db, reader.viewer, toAccess(reader.viewer, row));
  const { results, total } = row!; // toAccess refused its absence
  const reach = feed.ranking === 'community_feed_testing' ? Math.min(total, repository.TESTED) : total;
  return `{"results":${results},"total":${total},"nextOffset":${nextOffset(feed, reach)}}`;
}

type ActivityPlace = { slug: string; id: string };

const openActivity = gathered(
  async (db: Db, { any, at }: { key: string; any: Reader; at: ActivityPlace }, ids) =>
    await repository.findActivity(db, { ids, any }, at),
);

/** The contract's Activity as JSON text. */
export async function readActivity(ctx: Ctx, reader: Reader, at: ActivityPlace): Promise<string> {
  const id = viewerId(reader.viewer);
  const key = [at.slug, at.id, reader.locale, kindOf(reader)].join(' ');
  const rows = await openActivity(ctx.db, { key, any: reader, at }, id);
  const row = rows.find((one) => one.reader === id);
  await enterContent(ctx.db, reader.viewer, toAccess(reader.viewer, row));
  if (!row?.json) throw notFound();
  return row.json;
}

async function read(db: Db, reader: Reader, communityId: string, id: string): Promise<string> {
  const json = await repository.getActivityJson(db, reader, { communityId }, id);
  if (json === undefined) throw notFound();
  return json;
}

/** Cleans and checks what somebody wrote for a community. */
async function writeTexts(
  db: Db,
  community: AccessRow,
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
  return { title, ...written, categories: input.categories, additionalData: input.additional_data };
}

/** Posts to a community and answers the activity as JSON text. */
export async function createActivity(
  ctx: Ctx,
  reader: Reader<UserViewer>,
  slug: string,
  input: z.output<typeof ActivityCreate>,
): Promise<string> {
  const { viewer, locale } = reader;
  const { id, json, communityId } = await actIn(ctx.db, viewer, slug, async (access, expected) => {
    requireLevel(access, BASIC);
    await takeWriting(ctx, viewer.id, input);
    const { community } = access;
    const texts = await writeTexts(ctx.db, community, input);
    await takeMentions(ctx, viewer, texts.mentioned);
    const activity = {
      ...texts,
      communityId: community.id,
      authorId: viewer.id,
      verb: 'post',
      locale: input.locale ?? locale,
    } as const;
    const added = await repository.insertPost(ctx.db, reader, activity, expected);
    return added && { ...added, communityId: community.id };
  });
  return json ?? (await read(ctx.db, reader, communityId, id));
}

/** Locks an activity. The access is read under the lock, since the viewer may lose it while waiting. */
async function lockToChange(
  trx: Db,
  viewer: UserViewer,
  { id: communityId, slug }: AccessRow,
  activityId: string,
): Promise<{ activity: repository.LockedActivity; access: CommunityAccess }> {
  const activity = await repository.lockActivity(trx, { communityId }, { activityId });
  if (!activity) throw notFound();
  return { activity, access: await openCommunity(trx, viewer, slug) };
}

/** Replaces what a post says, by its author, and answers it as JSON text. */
export async function updateActivity(
  ctx: Ctx,
  reader: Reader<UserViewer>,
  at: { slug: string; id: string },
  input: z.output<typeof ActivityUpdate>,
): Promise<string> {
  const { community } = await openContent(ctx.db, reader.viewer, at.slug);
  return await inTransaction(ctx.db, async (trx) => {
    const { activity, access } = await lockToChange(trx, reader.viewer, community, at.id);
    if (!canEdit(reader.viewer.id, access, activity)) throw new AppError('auth.forbidden');
    if (activity.verb === 'poll') throw new AppError('community.poll_fixed');
    await takeWriting(ctx, reader.viewer.id, input);
    const texts = await writeTexts(trx, community, input);
    await takeMentions(ctx, reader.viewer, texts.mentioned, activity.mentioned);
    await repository.updateActivity(trx, activity, texts);
    return await read(trx, reader, community.id, at.id);
  });
}

/** Deletes a post or a poll, with all that was said about it. `reason`: why a moderator does. */
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
    if (activity.authorId !== viewer.id)
      await recordAction(trx, viewer, {
        action: 'community.delete-activity',
        object: activity.id,
        detail: { authorId: activity.authorId, communityId: activity.communityId, reason },
      });
  });
}
