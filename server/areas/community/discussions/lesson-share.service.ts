import type { Locale } from '@officium/contract/common';
import type { DiscussionShare, SharedDiscussion } from '@officium/contract/lesson-shares';
import type { CommunityShare } from '@officium/contract/shares';
import type { z } from 'zod';
import { BASIC } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { readableJourneys } from '#server/areas/learner/enrolment.service.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { openContent } from '../members/access.service.ts';
import { insertDiscussionShare } from '../posts/share.repository.ts';
import { shareToCommunities, type ShareOutcome } from '../posts/share.service.ts';
import type { LocalViewer } from '../viewer.sql.ts';
import { getDiscussion } from './lesson-discussion.repository.ts';
import { type LessonPath, openLesson } from './lesson-discussion.service.ts';
import { findShared, findSharesOf } from './lesson-share.repository.ts';
import { toSharedDiscussion } from './lesson-share.view.ts';

/** Shares a discussion, by its author. */
export async function shareLessonActivity(
  ctx: Ctx,
  viewer: UserViewer,
  { id, path }: { id: string; path: LessonPath },
  input: z.output<typeof CommunityShare> & { locale: Locale },
): Promise<ShareOutcome> {
  const { place } = await openLesson(ctx.db, viewer, path, BASIC);
  const discussion = await getDiscussion(ctx.db, { viewer, locale: input.locale }, { id, ...place });
  if (!discussion) throw notFound();
  if (discussion.authorId !== viewer.id) throw new AppError('auth.forbidden');
  const record = (db: Db, activityId: string) => insertDiscussionShare(db, { activityId, discussionId: id });
  // No card: readers of the community may not know of the lesson.
  const shared = { thingId: id, additionalData: {}, record };
  return await shareToCommunities(ctx, viewer, async () => shared, input);
}

/** The posts that share discussions of a lesson, as far as the viewer may read them. */
export async function listLessonShares(
  ctx: Ctx,
  localViewer: LocalViewer<UserViewer>,
  path: LessonPath,
  ids: readonly string[],
): Promise<DiscussionShare[]> {
  const { place } = await openLesson(ctx.db, localViewer.viewer, path);
  return await findSharesOf(ctx.db, localViewer, { ...place, ids });
}

/** The discussions that posts of a community share, as far as the viewer may read them in their lessons. */
export async function listSharedDiscussions(
  ctx: Ctx,
  localViewer: LocalViewer<UserViewer>,
  { slug, ids }: { slug: string; ids: readonly string[] },
): Promise<SharedDiscussion[]> {
  const { community } = await openContent(ctx.db, localViewer.viewer, slug);
  const rows = await findShared(ctx.db, localViewer, { communityId: community.id, ids });
  if (rows.length === 0) return []; // almost always
  const journeys = await readableJourneys(ctx, localViewer.viewer);
  return rows.filter(({ journeyKey }) => journeys?.includes(journeyKey) ?? true).map(toSharedDiscussion);
}
