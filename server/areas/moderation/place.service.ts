import { FULL_CONTROL, type Level, REDUCED } from '#server/access/can.ts';
import { isAdministrator, type UserViewer } from '#server/access/viewer.ts';
import {
  openCourseToModerate,
  openLesson,
  rightsInCourse,
} from '#server/areas/community/discussions/lesson-discussion.service.ts';
import { openContent, openToModerate, openWithLevel } from '#server/areas/community/members/access.service.ts';
import { canReportPosts, type Rights } from '#server/areas/community/posts/activity.policy.ts';
import type { Db } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { PlaceKey } from './place.sql.ts';
import { type ContentKind, getLessonOf, type LessonAt } from './report.repository.ts';

/** Content of a community, or under a lesson or an article: then `community` is omitted. */
export type ContentRef = { community?: string; kind: ContentKind; id: string };

/** The place of some content, with the viewer's rights there. Articles have neither community nor lesson. */
export type ContentPlace = {
  communityId: string | null;
  courseId: string | null;
  discussion: (Rights & { place: { communityId: string } | { lessonKey: string } }) | null;
};

/** Opens the place of content. A lesson that the viewer may neither read nor moderate is 404, like unknown content. */
export async function openPlaceOf(
  db: Db,
  viewer: UserViewer,
  { community, kind, id }: ContentRef,
  needed: Level,
): Promise<ContentPlace> {
  if (community !== undefined) {
    const access =
      needed === FULL_CONTROL
        ? await openToModerate(db, viewer, community)
        : await openWithLevel(db, viewer, community, needed);
    const { level, isTop, isShutOut } = access;
    const place = { communityId: access.community.id };
    return { ...place, courseId: null, discussion: { level, isTop, isShutOut, place } };
  }
  if (kind === 'article') {
    if (levelForArticles(viewer) < needed) throw new AppError('auth.forbidden');
    return { communityId: null, courseId: null, discussion: null };
  }
  const lesson = await getLessonOf(db, { kind, id });
  if (!lesson) throw notFound();
  return { communityId: null, courseId: lesson.course.id, discussion: await openLessonOf(db, viewer, lesson, needed) };
}

/** Opens the place of content to report it: a post of an open community also for people who are not members. */
export async function openToReport(db: Db, viewer: UserViewer, ref: ContentRef): Promise<ContentPlace> {
  if (ref.community === undefined || ref.kind !== 'activity') return await openPlaceOf(db, viewer, ref, REDUCED);
  const access = await openContent(db, viewer, ref.community);
  if (!canReportPosts(access)) throw new AppError('auth.forbidden');
  return { communityId: access.community.id, courseId: null, discussion: null };
}

/** Everyone signed in reads articles, and administrators moderate them. */
const levelForArticles = (viewer: UserViewer): Level => (isAdministrator(viewer) ? FULL_CONTROL : REDUCED);

async function openLessonOf(db: Db, viewer: UserViewer, lesson: LessonAt, needed: Level) {
  const rights = await rightsInCourse(db, viewer, lesson.course);
  if (rights.level >= needed) return { place: { lessonKey: lesson.key }, ...rights };
  const { course, journeyId, lessonId } = lesson;
  const path = { courseId: course.id, journeyId, lessonId };
  const discussion = await orNotFound(openLesson(db, viewer, path, REDUCED));
  if (discussion.level < needed) throw new AppError('auth.forbidden');
  return discussion;
}

/** Opens a place to moderate it. Throws 403, or 404 when the viewer may not see it. */
export async function openModerated(
  db: Db,
  viewer: UserViewer,
  place: { community?: string; course?: string; articles?: boolean },
): Promise<Rights & { key: PlaceKey }> {
  if (place.articles) {
    if (!isAdministrator(viewer)) throw new AppError('auth.forbidden');
    return { level: FULL_CONTROL, isTop: true, isShutOut: false, key: 'articles' };
  }
  if (place.course === undefined) {
    // The contract requires one of the three.
    const access = await openToModerate(db, viewer, place.community ?? '');
    const { community, level, isTop, isShutOut } = access;
    return { level, isTop, isShutOut, key: { communityId: community.id } };
  }
  const { courseId, ...rights } = await openCourseToModerate(db, viewer, place.course);
  return { ...rights, key: { courseId } };
}

/** Turns a refusal into 404, so that it does not reveal that something exists. */
export async function orNotFound<T>(opening: Promise<T>): Promise<T> {
  return await opening.catch((error: unknown) => {
    throw error instanceof AppError && error.status < 500 ? notFound() : error;
  });
}
