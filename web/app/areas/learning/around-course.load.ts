import { listEditorials } from '@officium/contract/editorials';
import type { Locale } from '@officium/i18n/locales';
import { readCourse } from '@officium/contract/learner';
import type { Attempt, load } from '../../server/api.ts';
import type { AroundCourse } from './around-course.tsx';

/** A course, with questions about it and hubs it is in, read at once. */
export async function readWithAround({ api, attempt, locale }: Awaited<ReturnType<typeof load>>, courseSlug: string) {
  const [{ course }, around] = await Promise.all([
    api(readCourse, { params: { courseSlug }, query: { locale } }),
    readAround(attempt, courseSlug, locale),
  ]);
  return { course, around };
}

/** A part that does not answer is left out, and the page stands. */
async function readAround(attempt: Attempt, course: string, locale: Locale): Promise<AroundCourse> {
  const query = { locale, course, limit: '20' };
  const [questions, hubs] = await Promise.all([
    attempt(listEditorials, { params: { kind: 'questions' }, query }),
    attempt(listEditorials, { params: { kind: 'hubs' }, query }),
  ]);
  return {
    questions: questions.ok ? questions.body.editorials : [],
    hubs: hubs.ok ? hubs.body.editorials : [],
  };
}
