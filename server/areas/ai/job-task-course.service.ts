import type { Locale } from '@officium/contract/common';
import type { HelpfulCourse } from '@officium/contract/job-tasks';
import type { UserViewer } from '#server/access/viewer.ts';
import { listCatalogueFor } from '#server/areas/content/catalogue.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { rankCourses } from './job-task-course.policy.ts';
import type { WeighedTask } from './job-task.view.ts';
import { findLexemes } from './lexemes.repository.ts';

/** What courses on the subject itself are found by. */
const SUBJECT = 'artificial intelligence AI';

/** Courses of the viewer's catalogue that are about these tasks; none where no task has a figure. */
export async function findCourses(
  ctx: Ctx,
  viewer: UserViewer,
  { tasks, about = '', locale }: { tasks: readonly WeighedTask[]; about?: string; locale: Locale },
): Promise<HelpfulCourse[]> {
  const weighed = tasks.filter(({ figures }) => figures !== undefined);
  if (weighed.length === 0) return [];
  const isExposed = weighed.some(({ figures }) => figures?.category !== 'unexposed');
  const asked = [about, ...weighed.map(({ title }) => title), isExposed ? SUBJECT : ''].join('\n');
  const near = weighed.flatMap(({ statements }) => statements.map(({ statement }) => statement)).join('\n');
  // The statements are English, so courses are found by their English texts and shown in the reader's language.
  const english = await listCards(ctx, viewer, 'en');
  const described = english.flatMap(({ title, summary }) => [title, summary]);
  const lexemes = await findLexemes(ctx.db, [asked, near, ...described], 'en');
  const wordsOf = (index: number) => lexemes[index] ?? new Set<string>();
  const searched = english.map((_, index) => ({ title: wordsOf(index * 2 + 2), summary: wordsOf(index * 2 + 3) }));
  const query = { asked: wordsOf(0), near: wordsOf(1) };
  const chosen = rankCourses(query, searched).flatMap((index) => english[index] ?? []);
  const shown = locale === 'en' || chosen.length === 0 ? english : await listCards(ctx, viewer, locale);
  return chosen.flatMap((card) => {
    const found = shown.find(({ type, id }) => type === card.type && id === card.id);
    if (!found) return [];
    const { summary: _, ...course } = found;
    return [course];
  });
}

async function listCards(
  ctx: Ctx,
  viewer: UserViewer,
  locale: Locale,
): Promise<(HelpfulCourse & { summary: string })[]> {
  const { courses, microcourses } = await listCatalogueFor(ctx, viewer, {}, locale);
  const { publicUrl } = ctx.config;
  const card =
    (type: HelpfulCourse['type'], prefix: string) => (found: (typeof courses | typeof microcourses)[number]) => ({
      id: found.id,
      type,
      slug: found.slug,
      title: found.title,
      summary: found.summary,
      shownLocale: found.shownLocale,
      url: `${publicUrl}/${prefix}/${found.slug}`,
    });
  return [...courses.map(card('course', 'courses')), ...microcourses.map(card('microcourse', 'microcourses/en'))];
}
