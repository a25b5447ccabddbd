import type { Locale, LocalizedText } from '@officium/contract/common';
import { ARTICLE_TAGS, type ArticleTag } from '@officium/contract/content';
import type { LENGTHS, listCatalogue, readAcademy, readMicrocourse } from '@officium/contract/content';
import type { AcademyCard } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { chainOf, LOCALES } from '@officium/i18n/locales';
import { ANONYMOUS, isActive, type UserViewer, type Viewer, viewerId } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { signMedia } from './media-access.policy.ts';
import { canJoinAcademy, canSee, visibleJourneys } from './catalogue.policy.ts';
import * as rows from './catalogue.repository.ts';
import type { AcademyFactsRow, MicrocourseFactsRow, NamedBy } from './catalogue.repository.ts';
import {
  localesOf,
  minutesOf,
  type SeenCourse,
  toAcademyCard,
  toCourseCard,
  toMicrocourseCard,
} from './catalogue.view.ts';

export type CatalogueFilter = {
  academy?: string | undefined;
  language?: Locale | undefined;
  length?: (typeof LENGTHS)[number] | undefined;
  topic?: ArticleTag | undefined;
  q?: string | undefined;
};

const userIdOf = (viewer: Viewer) => viewerId(isActive(viewer) ? viewer : ANONYMOUS);
const scopesOf = (row: { can_view: AcademyFactsRow['can_view']; can_join: AcademyFactsRow['can_join'] }) => ({
  canView: row.can_view,
  canJoin: row.can_join,
});

/** Returns the courses a viewer may see, optionally limited by slug or id. */
export async function seenCourses(db: Db, viewer: Viewer, named?: NamedBy): Promise<SeenCourse[]> {
  const found = await rows.findCourseFacts(db, { userId: userIdOf(viewer), named });
  return found.flatMap((row) => {
    const { slug, type, is_set: isSet } = row;
    const journeys = visibleJourneys(viewer, { slug, type, isSet, ...scopesOf(row) }, row.journeys);
    return journeys ? [{ row, journeys }] : [];
  });
}

/** Returns the ids of everything in the catalogue that a viewer may see. */
export async function visibleCatalogue(
  ctx: Ctx,
  viewer: Viewer,
): Promise<{ courses: string[]; academies: string[]; microcourses: string[] }> {
  const [courses, academies, microcourses] = await Promise.all([
    seenCourses(ctx.db, viewer),
    seenAcademies(ctx.db, viewer),
    seenMicrocourses(ctx.db, viewer),
  ]);
  return {
    courses: courses.map(({ row }) => row.id),
    academies: academies.map(({ id }) => id),
    microcourses: microcourses.map(({ id }) => id),
  };
}

export async function seenAcademies(db: Db, viewer: Viewer, named?: NamedBy): Promise<AcademyFactsRow[]> {
  const found = await rows.findAcademyFacts(db, { userId: userIdOf(viewer), named });
  return found.filter((row) => canSee(viewer, scopesOf(row), row.is_member || row.is_granted));
}

export async function seenMicrocourses(db: Db, viewer: Viewer, named?: NamedBy): Promise<MicrocourseFactsRow[]> {
  const found = await rows.findMicrocourseFacts(db, { userId: userIdOf(viewer), named });
  return found.filter((row) => canSee(viewer, scopesOf(row), row.is_granted));
}

export async function isCourseSeen(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  return (await seenCourses(db, viewer, { by: 'id', values: [id] })).length > 0;
}
export async function isAcademySeen(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  return (await seenAcademies(db, viewer, { by: 'id', values: [id] })).length > 0;
}
export async function isMicrocourseSeen(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  return (await seenMicrocourses(db, viewer, { by: 'id', values: [id] })).length > 0;
}

/** Lists the catalogue a viewer may see. Filters apply to courses and microcourses. */
export async function listCatalogueFor(
  ctx: Ctx,
  viewer: Viewer,
  filter: CatalogueFilter,
  locale: Locale,
): Promise<ReplyOf<typeof listCatalogue>> {
  const [courses, academies, microcourses] = await Promise.all([
    seenCourses(ctx.db, viewer),
    seenAcademies(ctx.db, viewer),
    seenMicrocourses(ctx.db, viewer),
  ]);
  const academy = academies.find((candidate) => candidate.slug === filter.academy);
  const offered = new Set([...courses.flatMap(localesOf), ...microcourses.flatMap((row) => row.locales)]);
  const carried = new Set([...courses.map(({ row }) => row), ...microcourses].flatMap((row) => row.topics));
  const fits = (minutes: number, locales: Locale[], texts: LocalizedText[], topics: ArticleTag[]) =>
    (filter.topic === undefined || topics.includes(filter.topic)) &&
    (filter.length === undefined || lengthOf(minutes) === filter.length) &&
    (filter.language === undefined || locales.includes(filter.language)) &&
    holdsWords(texts, filter.q);
  return {
    courses: courses
      .filter(({ row }) => filter.academy === undefined || (academy?.course_ids.includes(row.id) ?? false))
      .filter((course) =>
        fits(minutesOf(course), localesOf(course), [course.row.title, course.row.summary], course.row.topics),
      )
      .map((course) => toCourseCard(course, academies, locale)),
    microcourses: microcourses
      .filter(
        (row) => filter.academy === undefined && fits(row.minutes, row.locales, [row.title, row.summary], row.topics),
      )
      .map((row) => toMicrocourseCard(row, locale)),
    academies: academies.map((row) => toAcademyCard(row, courses, locale)),
    languages: LOCALES.filter((candidate) => offered.has(candidate)),
    topics: ARTICLE_TAGS.filter((topic) => carried.has(topic)),
  };
}

function lengthOf(minutes: number): (typeof LENGTHS)[number] {
  return minutes <= 15 ? 'short' : minutes <= 90 ? 'medium' : 'long';
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Checks that the texts contain every word, in any language, ignoring accents and case. */
function holdsWords(texts: LocalizedText[], q: string | undefined): boolean {
  const words = plain(q ?? '')
    .split(/\s+/)
    .filter(Boolean);
  if (words.length === 0) return true;
  const all = plain(texts.flatMap((text) => Object.values(text)).join('\n'));
  return words.every((word) => all.includes(word));
}

export async function listAcademiesFor(ctx: Ctx, viewer: Viewer, locale: Locale): Promise<AcademyCard[]> {
  const courses = await seenCourses(ctx.db, viewer);
  return (await seenAcademies(ctx.db, viewer)).map((row) => toAcademyCard(row, courses, locale));
}

export async function readAcademyBySlug(
  ctx: Ctx,
  viewer: Viewer,
  slug: string,
  locale: Locale,
): Promise<ReplyOf<typeof readAcademy>> {
  const academies = await seenAcademies(ctx.db, viewer);
  const row = academies.find((candidate) => candidate.slug === slug);
  if (!row) throw notFound();
  const courses = await seenCourses(ctx.db, viewer);
  const own = row.course_ids.flatMap((id) => courses.find((course) => course.row.id === id) ?? []);
  return {
    ...toAcademyCard(row, courses, locale),
    courses: own.map((course) => toCourseCard(course, academies, locale)),
    isMember: row.is_member,
    canJoin: !row.is_member && canJoinAcademy(viewer, scopesOf(row), row.is_granted),
    members: row.members,
  };
}

/** Makes the actor a member of an academy. Idempotent. */
export async function joinAcademyBySlug(ctx: Ctx, actor: UserViewer, slug: string): Promise<void> {
  const [row] = await seenAcademies(ctx.db, actor, { by: 'slug', values: [slug] });
  if (!row) throw notFound();
  if (row.is_member) return;
  if (!canJoinAcademy(actor, scopesOf(row), row.is_granted)) throw new AppError('auth.forbidden');
  await rows.insertAcademyMember(ctx.db, { academyId: row.id, userId: actor.id });
}

export async function readMicrocourseBySlug(
  ctx: Ctx,
  viewer: Viewer,
  slug: string,
  locale: Locale,
): Promise<ReplyOf<typeof readMicrocourse>> {
  const [row] = await seenMicrocourses(ctx.db, viewer, { by: 'slug', values: [slug] });
  const body = row && (await rows.getMicrocourseBody(ctx.db, { id: row.id, chain: chainOf(locale) }));
  if (!row || !body) throw notFound();
  return {
    ...toMicrocourseCard(row, locale),
    html: signMedia(ctx.seal.hash, { html: body.html, keys: body.asset_keys }, ctx.clock.now()),
    headings: body.headings,
    bodyLocale: body.locale,
    completedAt: row.completed_at?.toISOString() ?? null,
  };
}
