import { type LessonDiscussion, NOTHING_LEFT } from '@officium/contract/lesson-discussions';
import type { z } from 'zod';
import { recordAction } from '#server/audit/audit.ts';
import { BASIC, FULL_CONTROL, isShutOutOfCourse, NONE, REDUCED, type Level } from '#server/access/can.ts';
import { may } from '#server/access/roles.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import { courseAccess, lessonAccess, requireLevel } from '#server/areas/learner/course-access.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { totalOf } from '#server/db/total.ts';
import { AppError, invalid, notFound } from '#server/errors.ts';
import { takeWriting } from '#server/limits/limits.ts';
import { renderMarkdown } from '#server/text/markdown.ts';
import { sanitiseRichText } from '#server/text/sanitise.ts';
import { canDelete, canEdit, type Rights } from '../posts/activity.policy.ts';
import {
  deleteActivity,
  insertActivity,
  type LockedActivity,
  lockActivity,
  notifyOfActivityEdit,
  type Place,
} from '../posts/activity.repository.ts';
import {
  countDiscussions,
  findDiscussions,
  getCourse,
  getDiscussion,
  getLessonPath,
  isContact,
  updateDiscussion,
} from './lesson-discussion.repository.ts';
import { toLessonDiscussion } from './lesson-discussion.view.ts';
import { moderatorLevel } from './moderator.policy.ts';
import type { OpenDiscussion } from '../reactions/reaction.service.ts';
import { resolveMentions, takeMentions } from '../posts/mention.service.ts';
import { picturesFor, placePictures } from '../pictures/picture.service.ts';
import { nextOffset } from '../page.view.ts';
import { hydrate } from '../reading/hydrate.service.ts';
import { peopleOf } from '../reading/person.view.ts';
import type { LocalViewer } from '../viewer.sql.ts';
import { notifyOfRemoval } from '../posts/removal.service.ts';

/** The path of a lesson, by ids of the content platform. */
export type LessonPath = { courseId: string; journeyId: string; lessonId: string };
type View = z.output<typeof LessonDiscussion>;

/** The discussions of one lesson with the viewer's rights there; a Discussion for the reactions' service. */
export type LessonDiscussions = Rights & { place: { lessonKey: string } };

/** Opens the discussions of a lesson. 404 when any part of the path is hidden or unknown, 403 below the level. */
export async function openLesson(
  db: Db,
  viewer: UserViewer,
  path: LessonPath,
  needed: Level = REDUCED,
): Promise<LessonDiscussions> {
  const { place, rights } = await openPlace(db, viewer, path, needed);
  return { place, ...(await rights()) };
}

/** The same for reads, which need the rights of the viewer only after the rows of the place. */
async function openPlace(db: Db, viewer: UserViewer, path: LessonPath, needed: Level = REDUCED) {
  const ref = { by: 'id', course: path.courseId, journey: path.journeyId, lesson: path.lessonId } as const;
  const { course, lesson, journey, level } = await lessonAccess(db, viewer, ref);
  requireLevel(viewer, journey, needed);
  const own = { level, isTop: isAdministrator(viewer), isShutOut: journey.isShutOut };
  const rights = async () => (level < BASIC || own.isTop ? own : higher(own, await rightsInCourse(db, viewer, course)));
  return { place: { lessonKey: lesson.key }, rights };
}

/** Opens the discussions of a lesson that is known by its key, as `openLesson`. */
export async function openLessonByKey(db: Db, viewer: UserViewer, key: string): Promise<void> {
  const path = await getLessonPath(db, key);
  if (!path) throw notFound();
  await openLesson(db, viewer, path);
}

const higher = (one: Rights, other: Rights): Rights => (other.level > one.level ? other : one);

const mayModerate = (viewer: UserViewer, id: string) => may(viewer, 'moderate-lessons', { kind: 'course', id });

/**
 * The rights to moderate the lesson discussions of a course: full control for administrators, its owners by role and its
 * contacts with a profile, as far as the session's token allows. Reading a lesson needs an enrolment of its own.
 */
export async function rightsInCourse(
  db: Db,
  viewer: UserViewer,
  course: { id: string; slug: string },
): Promise<Rights> {
  const contact = { courseId: course.id, userId: viewer.id };
  const isTop = isAdministrator(viewer);
  const isModerator = mayModerate(viewer, course.id) || (await isContact(db, contact));
  const level = moderatorLevel(viewer, course.slug, isModerator);
  return { level, isTop, isShutOut: isShutOutOfCourse(viewer, course.slug) };
}

/** Opens the lesson discussions of a course to moderate them. Throws 403, or 404 when the viewer may not see the course. */
export async function openCourseToModerate(
  db: Db,
  viewer: UserViewer,
  slug: string,
): Promise<Rights & { courseId: string }> {
  // One query for both: a hidden course must not take more queries than an unknown one.
  const course = await getCourse(db, { slug, userId: viewer.id });
  const isTop = isAdministrator(viewer);
  const level = course ? moderatorLevel(viewer, course.slug, mayModerate(viewer, course.id) || course.isContact) : NONE;
  if (course && level >= FULL_CONTROL) return { courseId: course.id, level, isTop, isShutOut: false };
  await courseAccess(db, viewer, { by: 'slug', course: slug });
  throw new AppError('auth.forbidden');
}

/** All language versions sanitised and rendered, and the people they mention. */
async function writeTexts(db: Db, place: Place, body: Record<string, string>) {
  const bodyMap = Object.fromEntries(
    Object.entries(body).map(([locale, text]) => [locale, sanitiseRichText(text).trim()]),
  );
  const empty = Object.keys(bodyMap).find((locale) => bodyMap[locale] === '');
  if (empty !== undefined) throw invalid(`body.${empty}`, NOTHING_LEFT);
  const all = Object.values(bodyMap).join('\n');
  const pictures = await picturesFor(db, place, all);
  const bodyHtmlMap = Object.fromEntries(
    Object.entries(bodyMap).map(([locale, text]) => [locale, renderMarkdown(text, pictures).html]),
  );
  return { bodyMap, bodyHtmlMap, mentioned: await resolveMentions(db, place, all) };
}

/** The texts of all languages, for the pictures in them. */
const allHtml = ({ bodyHtmlMap }: { bodyHtmlMap: Record<string, string> }) => Object.values(bodyHtmlMap).join('\n');

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
  return await inTransaction(ctx.db, async (trx) => {
    const activityId = await insertActivity(trx, {
      ...texts,
      ...place,
      communityId: null,
      authorId: viewer.id,
      verb: 'lesson',
      title: null,
      body: null,
      bodyHtml: null,
      locale: 'en',
    });
    await placePictures(trx, activityId, { bodyHtml: allHtml(texts), authorId: viewer.id, place });
    return { activityId };
  });
}

export async function readLessonActivity(
  ctx: Ctx,
  localViewer: LocalViewer<UserViewer>,
  path: LessonPath,
  id: string,
): Promise<View> {
  const lesson = await openLesson(ctx.db, localViewer.viewer, path);
  const row = await getDiscussion(ctx.db, localViewer, { id, ...lesson.place });
  if (!row) throw notFound();
  const { people } = await hydrate(ctx, peopleOf([row]));
  return toLessonDiscussion(row, { viewer: localViewer.viewer, rights: lesson, people });
}

export async function listLessonActivities(
  ctx: Ctx,
  localViewer: LocalViewer<UserViewer>,
  path: LessonPath,
  page: { limit: number; offset: number },
): Promise<{ results: View[]; total: number; nextOffset: number | null }> {
  const { place, rights: readRights } = await openPlace(ctx.db, localViewer.viewer, path);
  const [rights, rows] = await Promise.all([readRights(), findDiscussions(ctx.db, localViewer, { ...place, ...page })]);
  const total = await totalOf(page, rows, async () => await countDiscussions(ctx.db, place.lessonKey));
  const { people } = await hydrate(ctx, peopleOf(rows));
  return {
    results: rows.map((row) => toLessonDiscussion(row, { viewer: localViewer.viewer, rights, people })),
    total,
    nextOffset: nextOffset(page, total),
  };
}

/** Replaces the content of a discussion, by its author. */
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
    await placePictures(trx, id, { bodyHtml: allHtml(texts), authorId: activity.authorId, place: lesson.place });
    await notifyOfActivityEdit(trx, activity, texts.mentioned);
  });
}

/** Deletes a discussion with its reactions. */
export async function deleteLessonActivity(ctx: Ctx, viewer: UserViewer, path: LessonPath, id: string): Promise<void> {
  const lesson = await openLesson(ctx.db, viewer, path);
  await inTransaction(ctx.db, async (trx) => {
    const activity = await lockDiscussion(trx, lesson, id);
    if (!canDelete(viewer.id, lesson, activity)) throw new AppError('auth.forbidden');
    await deleteActivity(trx, activity, viewer.id);
    if (activity.authorId !== viewer.id) {
      await notifyOfRemoval(trx, activity.id);
      await recordAction(trx, viewer, {
        action: 'community.delete-activity',
        object: activity.id,
        detail: { authorId: activity.authorId, ...lesson.place },
      });
    }
  });
}

/** Removes a discussion as a moderator, with a reason. `ctx.db` is a transaction. */
export async function removeLessonActivity(
  ctx: Ctx,
  viewer: UserViewer,
  { open, id, reason }: { open: OpenDiscussion; id: string; reason: string },
): Promise<void> {
  const { place } = await open(ctx.db);
  const activity = await lockActivity(ctx.db, place, { activityId: id });
  if (!activity) throw notFound();
  // After the lock: the viewer may have lost the right while waiting.
  if (!canDelete(viewer.id, await open(ctx.db), activity)) throw new AppError('auth.forbidden');
  await deleteActivity(ctx.db, activity, viewer.id);
  await notifyOfRemoval(ctx.db, id);
  await recordAction(ctx.db, viewer, {
    action: 'community.delete-activity',
    object: id,
    detail: { authorId: activity.authorId, ...place, reason },
  });
}

async function lockDiscussion(trx: Db, lesson: LessonDiscussions, activityId: string): Promise<LockedActivity> {
  const activity = await lockActivity(trx, lesson.place, { activityId });
  if (!activity) throw notFound();
  return activity;
}
