import type { Locale } from '@officium/contract/common';
import type { Viewer } from '#server/access/viewer.ts';
import { isAcademySeen, isMicrocourseSeen } from '#server/areas/catalogue/catalogue.service.ts';
import { isEditorialSeen } from '#server/areas/catalogue/editorial.service.ts';
import { openCommunity } from '#server/areas/community/members/access.service.ts';
import { readCourse, readLesson } from '#server/areas/learner/course.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { findBySlug, type MovedKind, type MovedRow } from './moved-page.repository.ts';

type Caller = { ctx: Ctx; viewer: Viewer; locale: Locale };

type Part = {
  kind: MovedKind;
  /** Whether the caller may see the page. `above` are the current slugs of the parts before it. */
  isVisible(caller: Caller, row: MovedRow, above: string[]): Promise<boolean>;
};

const COURSE: Part = {
  kind: 'course',
  isVisible: async ({ ctx, viewer }, { slug }) => await isAllowed(readCourse(ctx, viewer, slug)),
};
const JOURNEY: Part = {
  kind: 'journey',
  async isVisible({ ctx, viewer }, { key }, [course = '']) {
    const { journeys } = await readCourse(ctx, viewer, course);
    return journeys.some((journey) => journey.key === key);
  },
};
const LESSON: Part = {
  kind: 'lesson',
  isVisible: async ({ ctx, viewer, locale }, { slug }, [courseSlug = '', journeySlug = '']) =>
    await isAllowed(readLesson(ctx, viewer, { courseSlug, journeySlug, lessonSlug: slug, locale })),
};
const ACADEMY: Part = {
  kind: 'academy',
  isVisible: async ({ ctx, viewer }, { key }) => await isAcademySeen(ctx.db, viewer, key),
};
const COMMUNITY: Part = {
  kind: 'community',
  isVisible: async ({ ctx, viewer }, { slug }) => await isAllowed(openCommunity(ctx.db, viewer, slug)),
};
const MICROCOURSE: Part = {
  kind: 'microcourse',
  isVisible: async ({ ctx, viewer }, { key }) => await isMicrocourseSeen(ctx.db, viewer, key),
};

const editorial = (kind: 'question' | 'solution' | 'hub' | 'event'): Part => ({
  kind,
  isVisible: async ({ ctx, viewer }, { key }) => await isEditorialSeen(ctx.db, viewer, key, kind),
});

/** Path prefixes, with the kinds of slugs that follow them. Later parts of a path never change. */
const PATHS: readonly { start: string; parts: readonly Part[] }[] = [
  { start: '/courses/', parts: [COURSE, JOURNEY, LESSON] },
  { start: '/academies/', parts: [ACADEMY] },
  { start: '/communities/', parts: [COMMUNITY] },
  { start: '/microcourses/en/', parts: [MICROCOURSE] },
  { start: '/questions/', parts: [editorial('question')] },
  { start: '/solutions/', parts: [editorial('solution')] },
  { start: '/hubs/', parts: [editorial('hub')] },
  { start: '/events/', parts: [editorial('event')] },
];

/**
 * The current path of a page whose slug has changed. Slugs of pages the caller may not see stay as given.
 *
 * @throws notFound when no slug of the path has changed
 */
export async function findMovedPage(caller: Caller, path: string): Promise<{ path: string }> {
  const pattern = PATHS.find(({ start }) => path.startsWith(start));
  if (!pattern) throw notFound();
  const given = path.slice(pattern.start.length).split('/').map(decodePart);
  const current: string[] = [];
  let parent = '';
  for (const [index, { kind, isVisible }] of pattern.parts.entries()) {
    const slug = given[index];
    const row = slug ? await findBySlug(caller.ctx.db, { kind, slug, parent }) : undefined;
    if (!row || !(await isVisible(caller, row, current))) break;
    current.push(row.slug);
    parent = row.key;
  }
  if (current.every((slug, index) => slug === given[index])) throw notFound();
  const parts = [...current, ...given.slice(current.length)];
  return { path: pattern.start + parts.map(encodeURIComponent).join('/') };
}

/** Decodes a part of a path. Throws 404 when it is malformed or has a NUL, which PostgreSQL text cannot hold. */
function decodePart(part: string): string {
  try {
    const text = decodeURIComponent(part);
    if (!text.includes('\0')) return text;
  } catch {
    // malformed: 404 like any unknown path
  }
  throw notFound();
}

async function isAllowed(read: Promise<unknown>): Promise<boolean> {
  try {
    await read;
    return true;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return false;
    throw error;
  }
}
