import type { Locale } from '@officium/contract/common';
import type { HelpfulCourse } from '@officium/contract/job-tasks';
import type { UserViewer } from '#server/access/viewer.ts';
import { listCatalogueFor } from '#server/areas/catalogue/catalogue.service.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { rankCourses } from './job-task-course.policy.ts';
import type { WeighedTask } from './job-task.view.ts';
import { findLexemes } from './lexemes.repository.ts';

/** Search words for courses about AI itself. */
const SUBJECT = 'artificial intelligence AI';

type HelpfulCourses = {
  courses: HelpfulCourse[];
  /** Courses for a single task, by task id. */
  ofTasks: ReadonlyMap<string, HelpfulCourse[]>;
};
type CourseQuery = { tasks: readonly WeighedTask[]; about?: string; locale: Locale };

/**
 * Courses in the viewer's catalogue about all the tasks and about each one. Tasks without a near statement have none.
 */
export async function findCourses(
  ctx: Ctx,
  viewer: UserViewer,
  { tasks, about = '', locale }: CourseQuery,
): Promise<HelpfulCourses> {
  const weighed = tasks.filter(({ isNear }) => isNear);
  if (weighed.length === 0) return { courses: [], ofTasks: new Map() };
  // The statements are English, so courses are matched by their English texts and shown in the viewer's language.
  const english = await listCards(ctx, viewer, 'en');
  const isExposed = weighed.some(({ figures }) => figures.category !== 'unexposed');
  const query = [about, ...weighed.map(({ title }) => title), isExposed ? SUBJECT : ''].join('\n');
  const [all = [], ...each] = await rank(ctx.db, english, [
    { query, near: weighed.map(nearOf).join('\n') },
    ...weighed.map((task) => ({ query: task.title, near: nearOf(task) })),
  ]);
  const shown = locale === 'en' ? english : await listCards(ctx, viewer, locale);
  const inLocale = (chosen: Card[]) =>
    chosen.flatMap(({ type, id }) => {
      const found = shown.find((card) => card.type === type && card.id === id);
      if (!found) return [];
      const { summary: _, ...course } = found;
      return [course];
    });
  return {
    courses: inLocale(all),
    ofTasks: new Map(weighed.map(({ id }, index) => [id, inLocale(each[index] ?? [])])),
  };
}

function nearOf({ statements }: WeighedTask): string {
  return statements.map(({ statement }) => statement).join('\n');
}

/** For each query, the matching cards, best first. */
async function rank(db: Db, cards: readonly Card[], queries: readonly { query: string; near: string }[]) {
  const texts = queries.flatMap(({ query, near }) => [query, near]);
  const described = cards.flatMap(({ title, summary }) => [title, summary]);
  const lexemes = await findLexemes(db, [...texts, ...described], 'en');
  const wordsOf = (index: number) => lexemes[index] ?? new Set<string>();
  const cardAt = (index: number) => texts.length + index * 2;
  const searched = cards.map((_, index) => ({ title: wordsOf(cardAt(index)), summary: wordsOf(cardAt(index) + 1) }));
  return queries.map((_, index) => {
    const words = { query: wordsOf(index * 2), near: wordsOf(index * 2 + 1) };
    return rankCourses(words, searched).flatMap((at) => cards[at] ?? []);
  });
}

type Card = HelpfulCourse & { summary: string };

async function listCards(ctx: Ctx, viewer: UserViewer, locale: Locale): Promise<Card[]> {
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
