import { listEditorials } from '@officium/contract/editorials';
import type { Locale } from '@officium/i18n/locales';
import type { Attempt } from '../../server/api.ts';
import type { AroundCourse } from './around-course.tsx';

/** Questions about a course, and hubs it is in. A part that does not answer is left out, and the page stands. */
export async function readAround(attempt: Attempt, course: string, locale: Locale): Promise<AroundCourse> {
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
