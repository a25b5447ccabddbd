import type { Locale } from '@officium/contract/common';
import type { Viewer } from '#server/access/viewer.ts';
import { isAcademySeen, isMicrocourseSeen } from '#server/areas/catalogue/catalogue.service.ts';
import { openCommunity } from '#server/areas/community/members/access.service.ts';
import { readCourse, readLesson } from '#server/areas/learner/course.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { findBySlug, type MovedKind, type MovedRow } from './moved-page.repository.ts';

type Asking = { ctx: Ctx; viewer: Viewer; locale: Locale };

type Part = {
  kind: MovedKind;
  /** Whether the caller may know of what stands there now; `above` are the slugs of now before it. */
  isSeen(asking: Asking, row: MovedRow, above: string[]): Promise<boolean>;
};

const COURSE: Part = {
  kind: 'course',
  isSeen: async ({ ctx, viewer }, { slug }) => await isAllowed(readCourse(ctx, viewer, slug)),
};
const JOURNEY: Part = {
  kind: 'journey',
  async isSeen({ ctx, viewer }, { key }, [course = '']) {
    const { journeys } = await readCourse(ctx, viewer, course);
    return journeys.some((journey) => journey.key === key);
  },
};
const LESSON: Part = {
  kind: 'lesson',
  isSeen: async ({ ctx, viewer, locale }, { slug }, [courseSlug = '', journeySlug = '']) =>
    await isAllowed(readLesson(ctx, viewer, { courseSlug, journeySlug, lessonSlug: slug, locale })),
};
const ACADEMY: Part = {
  kind: 'academy',
  isSeen: async ({ ctx, viewer }, { key }) => await isAcademySeen(ctx.db, viewer, key),
};
const COMMUNITY: Part = {
  kind: 'community',
  isSeen: async ({ ctx, viewer }, { slug }) => await isAllowed(openCommunity(ctx.db, viewer, slug)),
};
const MICROCOURSE: Part = {
  kind: 'microcourse',
  isSeen: async ({ ctx, viewer }, { key }) => await isMicrocourseSeen(ctx.db, viewer, key),
};

/** Beginnings of paths, and the slugs that follow; what comes after these never changes. */
const PATHS: readonly { start: string; parts: readonly Part[] }[] = [
  { start: '/courses/', parts: [COURSE, JOURNEY, LESSON] },
  { start: '/academies/', parts: [ACADEMY] },
  { start: '/communities/', parts: [COMMUNITY] },
  { start: '/microcourses/en/', parts: [MICROCOURSE] },
];

/**
 * The path of now of a page whose slug has changed. Slugs of what the caller may not know of stay as they were given.
 *
 * @throws notFound when no slug of the path has changed
 */
export async function findMovedPage(asking: Asking, path: string): Promise<{ path: string }> {
  const place = PATHS.find(({ start }) => path.startsWith(start));
  if (!place) throw notFound();
  const given = path.slice(place.start.length).split('/').map(decoded);
  const now: string[] = [];
  let parent = '';
  for (const [at, { kind, isSeen }] of place.parts.entries()) {
    const slug = given[at];
    const row = slug ? await findBySlug(asking.ctx.db, { kind, slug, parent }) : undefined;
    if (!row || !(await isSeen(asking, row, now))) break;
    now.push(row.slug);
    parent = row.key;
  }
  if (now.every((slug, at) => slug === given[at])) throw notFound();
  const parts = [...now, ...given.slice(now.length)];
  return { path: place.start + parts.map(encodeURIComponent).join('/') };
}

/** A part of a path, which may be malformed or hold a NUL, which no text of PostgreSQL has. */
function decoded(part: string): string {
  try {
    const text = decodeURIComponent(part);
    if (!text.includes('\0')) return text;
  } catch {
    // refused as any other path nothing has
  }
  throw notFound();
}

async function isAllowed(read: Promise<unknown>): Promise<boolean> {
  try {
    await read;
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
