import type { Locale } from '@officium/contract/common';
import type { LinkedCard, LinkedItem } from '@officium/contract/editorials';
import { chainOf } from '@officium/i18n/locales';
import { ANONYMOUS, type Viewer, viewerId } from '#server/access/viewer.ts';
import { seenAcademies, seenCourses, seenMicrocourses } from '#server/areas/catalogue/catalogue.service.ts';
import { minutesOf } from '#server/areas/catalogue/catalogue.view.ts';
import { hasPage, isEditorialKind } from '#server/areas/catalogue/editorial.policy.ts';
import {
  type EditorialFactsRow,
  type EditorialItemRow,
  findEditorialFacts,
  findEditorialItems,
} from '#server/areas/catalogue/editorial.repository.ts';
import { readEditorialBodies, seenEditorials } from '#server/areas/catalogue/editorial.service.ts';
import { seenPages } from '#server/areas/catalogue/entry.service.ts';
import { readCourse } from '#server/areas/learner/course.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import type { Page } from '#server/page-address.ts';
import * as repository from './item.repository.ts';
import { toLinkedCard } from './item.view.ts';

type Asking = { ctx: Ctx; viewer: Viewer; locale: Locale };
type Target = Pick<EditorialItemRow, 'kind' | 'key'>;
type Cards = Map<string, LinkedCard>;

const nameOf = ({ kind, key }: Target) => `${kind} ${key}`;

/** The links of an editorial, in order, with the contents of its carousels. Links the viewer may not see are left out. */
export async function findItems(asking: Asking, id: string): Promise<LinkedItem[]> {
  const own = await findEditorialItems(asking.ctx.db, [id]);
  const carousels = own.filter(({ kind }) => kind === 'carousel').map(({ key }) => key);
  const inner = await findEditorialItems(asking.ctx.db, carousels);
  const cards = await cardsOf(asking, [...own, ...inner]);
  const shown = (rows: readonly EditorialItemRow[]) => rows.flatMap((row) => cards.get(nameOf(row)) ?? []);
  const within = Map.groupBy(inner, (row) => row.editorial_id);
  return own.flatMap((row) => {
    const card = cards.get(nameOf(row));
    if (!card) return [];
    const items = shown(within.get(row.key) ?? []).filter(({ kind }) => kind !== 'carousel');
    return row.kind === 'carousel' && items.length === 0
      ? []
      : [{ ...card, items: row.kind === 'carousel' ? items : [] }];
  });
}

async function cardsOf(asking: Asking, targets: readonly Target[]): Promise<Cards> {
  const keysOf = (kind: string) => [...new Set(targets.flatMap((target) => (target.kind === kind ? target.key : [])))];
  const editorials = [...new Set(targets.flatMap(({ kind, key }) => (isEditorialKind(kind) ? key : [])))];
  const found = await Promise.all([
    courseCards(asking, keysOf('course')),
    microcourseCards(asking, keysOf('microcourse')),
    academyCards(asking, keysOf('academy')),
    lessonCards(asking, keysOf('lesson')),
    communityCards(asking, keysOf('community')),
    articleCards(asking, keysOf('article')),
    editorialCards(asking, editorials),
  ]);
  return new Map(found.flat());
}

type Found = Promise<[name: string, card: LinkedCard][]>;

async function courseCards({ ctx, viewer, locale }: Asking, values: string[]): Found {
  if (values.length === 0) return [];
  const seen = await seenCourses(ctx.db, viewer, { by: 'id', values });
  return seen.map((course) => {
    const page: Page = ['course', course.row.slug];
    const card = toLinkedCard({ ...course.row, kind: 'course', page, minutes: minutesOf(course) }, locale);
    return [`course ${course.row.id}`, card];
  });
}

async function microcourseCards({ ctx, viewer, locale }: Asking, values: string[]): Found {
  if (values.length === 0) return [];
  const seen = await seenMicrocourses(ctx.db, viewer, { by: 'id', values });
  return seen.map((row) => [
    `microcourse ${row.id}`,
    toLinkedCard({ ...row, kind: 'microcourse', page: ['microcourse', row.slug] }, locale),
  ]);
}

async function academyCards({ ctx, viewer, locale }: Asking, values: string[]): Found {
  if (values.length === 0) return [];
  const seen = await seenAcademies(ctx.db, viewer, { by: 'id', values });
  return seen.map((row) => [
    `academy ${row.id}`,
    toLinkedCard({ ...row, summary: row.description, kind: 'academy', page: ['academy', row.slug] }, locale),
  ]);
}

/** A lesson is visible where the outline of its course is; opening it is checked by the lesson page. */
async function lessonCards({ ctx, viewer, locale }: Asking, keys: string[]): Found {
  const rows = await repository.findLessonItems(ctx.db, keys);
  const journeys = new Set<string>();
  for (const slug of new Set(rows.map(({ course_slug }) => course_slug)))
    for (const key of await journeysOf(ctx, viewer, slug)) journeys.add(key);
  return rows
    .filter(({ journey_key }) => journeys.has(journey_key))
    .map((row) => [`lesson ${row.key}`, toLinkedCard({ ...row, kind: 'lesson' }, locale)]);
}

async function journeysOf(ctx: Ctx, viewer: Viewer, courseSlug: string): Promise<string[]> {
  try {
    const { journeys } = await readCourse(ctx, viewer, courseSlug);
    return journeys.map(({ key }) => key);
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return [];
    throw error;
  }
}

async function communityCards({ ctx, viewer, locale }: Asking, ids: string[]): Found {
  const rows = await repository.findCommunityItems(ctx.db, ids);
  if (rows.length === 0) return [];
  const slugs = rows.map(({ slug }) => slug);
  const seen = await seenPages(ctx.db, viewer, slugs);
  return rows
    .filter(({ slug }) => seen.has(`communities/${slug}`))
    .map((row) => [`community ${row.key}`, toLinkedCard({ ...row, kind: 'community' }, locale)]);
}

async function articleCards({ ctx, locale }: Asking, ids: string[]): Found {
  const rows = await repository.findArticleItems(ctx.db, ids);
  return rows.map((row) => [`article ${row.key}`, toLinkedCard({ ...row, kind: 'article' }, locale)]);
}

async function editorialCards({ ctx, viewer, locale }: Asking, ids: string[]): Found {
  if (ids.length === 0) return [];
  const named = { by: 'id', values: ids } as const;
  const [seen, parts] = await Promise.all([
    seenEditorials(ctx.db, viewer, { named }),
    // Carousels and pictures have no scopes: every reader of the hub sees them.
    findEditorialFacts(ctx.db, { userId: viewerId(ANONYMOUS), named }),
  ]);
  const rows = [...seen, ...parts.filter(({ kind }) => !hasPage(kind))];
  const bodies = await readEditorialBodies(ctx, {
    ids: rows.filter(({ kind }) => kind === 'question').map(({ id }) => id),
    chain: chainOf(locale),
  });
  return rows.map((row) => [
    `${row.kind} ${row.id}`,
    toLinkedCard({ ...row, page: pageOf(row), body: bodies.get(row.id) }, locale),
  ]);
}

function pageOf({ kind, slug }: EditorialFactsRow): Page | null {
  return hasPage(kind) ? [kind, slug] : null;
}
