import type { Locale } from '@officium/contract/common';
import type { HelpfulCourse } from '@officium/contract/job-tasks';
import type { UserViewer } from '#server/access/viewer.ts';
import { listCatalogueFor } from '#server/areas/catalogue/catalogue.service.ts';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { rankCourses } from './job-task-course.policy.ts';
import type { WeighedTask } from './job-task.view.ts';
import { findLexemes } from './lexemes.repository.ts';

/** What courses on the subject itself are found by. */
const SUBJECT = 'artificial intelligence AI';

type HelpfulCourses = {
  courses: HelpfulCourse[];
  /** Those about one task alone, by its id. */
  ofTasks: ReadonlyMap<string, HelpfulCourse[]>;
};
type Asked = { tasks: readonly WeighedTask[]; about?: string; locale: Locale };

/** Courses of the viewer's catalogue that are about these tasks, and about each; none about those that no statement is near. */
export async function findCourses(
  ctx: Ctx,
  viewer: UserViewer,
  { tasks, about = '', locale }: Asked,
): Promise<HelpfulCourses> {
  const weighed = tasks.filter(({ isNear }) => isNear);
  if (weighed.length === 0) return { courses: [], ofTasks: new Map() };
  // The statements are English, so courses are found by their English texts and shown in the reader's language.
  const english = await listCards(ctx, viewer, 'en');
  const isExposed = weighed.some(({ figures }) => figures.category !== 'unexposed');
  const asked = [about, ...weighed.map(({ title }) => title), isExposed ? SUBJECT : ''].join('\n');
  const [all = [], ...each] = await rank(ctx.db, english, [
    { asked, near: weighed.map(nearOf).join('\n') },
    ...weighed.map((task) => ({ asked: task.title, near: nearOf(task) })),
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

/** For each query the cards that are about it, best first. */
async function rank(db: Db, cards: readonly Card[], queries: readonly { asked: string; near: string }[]) {
  const texts = queries.flatMap(({ asked, near }) => [asked, near]);
  const described = cards.flatMap(({ title, summary }) => [title, summary]);
  const lexemes = await findLexemes(db, [...texts, ...described], 'en');
  const wordsOf = (index: number) => lexemes[index] ?? new Set<string>();
  const cardAt = (index: number) => texts.length + index * 2;
  const searched = cards.map((_, index) => ({ title: wordsOf(cardAt(index)), summary: wordsOf(cardAt(index) + 1) }));
  return queries.map((_, index) => {
    const query = { asked: wordsOf(index * 2), near: wordsOf(index * 2 + 1) };
    return rankCourses(query, searched).flatMap((at) => cards[at] ?? []);
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
