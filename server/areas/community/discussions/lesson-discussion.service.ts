import { type LessonDiscussion, NOTHING_LEFT } from '@officium/contract/lesson-discussions';
import type { z } from 'zod';
import { recordAction } from '#server/audit/audit.ts';
import { BASIC, REDUCED, type Level } from '#server/access/can.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import { lessonAccess, requireLevel } from '#server/areas/learner/course-access.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { takeWriting } from '#server/limits/limits.ts';
import { renderMarkdown } from '#server/text/markdown.ts';
import { sanitiseRichText } from '#server/text/sanitise.ts';
import { canDelete, canEdit, type Standing } from '../posts/activity.policy.ts';
import {
  deleteActivity,
  insertActivity,
  type LockedActivity,
  lockActivity,
  type Place,
} from '../posts/activity.repository.ts';
import { countDiscussions, findDiscussions, getDiscussion, updateDiscussion } from './lesson-discussion.repository.ts';
import { toLessonDiscussion } from './lesson-discussion.view.ts';
import { resolveMentions, takeMentions } from '../posts/mention.service.ts';
import { nextOffset } from '../page.view.ts';
import type { Reader } from '../reader.sql.ts';

/** A lesson as its path names it, by ids of the content platform. */
export type LessonPath = { courseId: string; journeyId: string; lessonId: string };
type View = z.output<typeof LessonDiscussion>;

/** The discussions of one lesson, and who the viewer is in them: what the reactions' service calls a Discussion. */
export type LessonDiscussions = Standing & { place: { lessonKey: string } };

/** Opens what is said under a lesson. 404 when any part of the path is hidden or unknown, 403 below the level. */
export async function openLesson(
  db: Db,
  viewer: UserViewer,
  path: LessonPath,
  needed: Level = REDUCED,
): Promise<LessonDiscussions> {
  const place = { by: 'id', course: path.courseId, journey: path.journeyId, lesson: path.lessonId } as const;
  const { lesson, journey, level } = await lessonAccess(db, viewer, place);
  requireLevel(viewer, journey, needed);
  return { place: { lessonKey: lesson.key }, level, isTop: isAdministrator(viewer) };
}

/** Every language's text sanitised and rendered, and whom they mention together. */
async function writeTexts(db: Db, place: Place, body: Record<string, string>) {
  const bodyMap = Object.fromEntries(
    Object.entries(body).map(([locale, text]) => [locale, sanitiseRichText(text).trim()]),
  );
  const empty = Object.keys(bodyMap).find((locale) => bodyMap[locale] === '');
  if (empty !== undefined) throw invalid(`body.${empty}`, NOTHING_LEFT);
  const bodyHtmlMap = Object.fromEntries(
    Object.entries(bodyMap).map(([locale, text]) => [locale, renderMarkdown(text).html]),
  );
  return { bodyMap, bodyHtmlMap, mentioned: await resolveMentions(db, place, Object.values(bodyMap).join('\n')) };
}

export async function createLessonActivity(
  ctx: Ctx,
  viewer: UserViewer,
  path: LessonPath,
  body: Record<string, string>,
): Promise<{ activityId: string }> {
  const { place } = await openLesson(ctx.db, viewer, path, BASIC);
  await takeWriting(ctx, viewer.id, body);
  const texts = await writeTexts(ctx.db, place, body);
  await takeMentions(ctx, viewer, texts.mentioned);
  return await inTransaction(ctx.db, async (trx) => ({
    activityId: await insertActivity(trx, {
      ...texts,
      ...place,
      communityId: null,
      authorId: viewer.id,
      verb: 'lesson',
      title: null,
      body: null,
      bodyHtml: null,
      locale: 'en',
    }),
  }));
}

export async function readLessonActivity(
  ctx: Ctx,
  reader: Reader<UserViewer>,
  path: LessonPath,
  id: string,
): Promise<View> {
  const lesson = await openLesson(ctx.db, reader.viewer, path);
  const row = await getDiscussion(ctx.db, reader, { id, ...lesson.place });
  if (!row) throw notFound();
  return toLessonDiscussion(row, reader.viewer.id, lesson);
}

export async function listLessonActivities(
  ctx: Ctx,
  reader: Reader<UserViewer>,
  path: LessonPath,
  page: { limit: number; offset: number },
): Promise<{ results: View[]; total: number; nextOffset: number | null }> {
  const lesson = await openLesson(ctx.db, reader.viewer, path);
  const total = await countDiscussions(ctx.db, lesson.place.lessonKey);
  const rows = await findDiscussions(ctx.db, reader, { ...lesson.place, ...page });
  return {
    results: rows.map((row) => toLessonDiscussion(row, reader.viewer.id, lesson)),
    total,
    nextOffset: nextOffset(page, total),
  };
}

/** Replaces what a discussion says, by its author. */
export async function updateLessonActivity(
  ctx: Ctx,
  viewer: UserViewer,
  path: LessonPath,
  id: string,
  body: Record<string, string>,
): Promise<void> {
  const lesson = await openLesson(ctx.db, viewer, path);
  await inTransaction(ctx.db, async (trx) => {
    const activity = await lockDiscussion(trx, lesson, id);
    if (!canEdit(viewer.id, lesson, activity)) throw new AppError('auth.forbidden');
    await takeWriting(ctx, viewer.id, body);
    const texts = await writeTexts(trx, lesson.place, body);
    await takeMentions(ctx, viewer, texts.mentioned, activity.mentioned);
    await updateDiscussion(trx, { id, ...texts });
  });
}

/** Deletes a discussion with all that was said in it. */
export async function deleteLessonActivity(ctx: Ctx, viewer: UserViewer, path: LessonPath, id: string): Promise<void> {
  const lesson = await openLesson(ctx.db, viewer, path);
  await inTransaction(ctx.db, async (trx) => {
    const activity = await lockDiscussion(trx, lesson, id);
    if (!canDelete(viewer.id, lesson, activity)) throw new AppError('auth.forbidden');
    await deleteActivity(trx, activity, viewer.id);
    if (activity.authorId !== viewer.id)
      await recordAction(trx, viewer, {
        action: 'community.delete-activity',
        object: activity.id,
        detail: { authorId: activity.authorId, ...lesson.place },
      });
  });
}

async function lockDiscussion(trx: Db, lesson: LessonDiscussions, activityId: string): Promise<LockedActivity> {
  const activity = await lockActivity(trx, lesson.place, { activityId });
  if (!activity) throw notFound();
  return activity;
}
