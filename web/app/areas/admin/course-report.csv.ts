import { readCourseCompletion } from '@officium/contract/course-reports';
import { csvReply } from '../../admin/csv.ts';
import { loadAdmin } from '../../admin/load.ts';
import type { Route } from './+types/course-report.csv';
import { filterOf } from './course-report.ts';

/** Withheld numbers are written independently of language. */
const say = (count: number | null) => count ?? 'withheld';

const HEADER = [
  'journey',
  'lesson',
  'title',
  'mandatory',
  'reached',
  'completed',
  'medianDays',
  'stopped',
  'stoppedExpired',
  'stoppedWithdrawn',
];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale, url } = await loadAdmin(request, context, 'read-reports');
  const { journeys } = await api(readCourseCompletion, {
    params: { courseSlug: params.course },
    query: { locale, ...filterOf(url) },
  });
  const rows = journeys.flatMap(({ journeySlug, lessons }) =>
    lessons.map((lesson) => [
      journeySlug,
      lesson.lessonSlug,
      lesson.title,
      lesson.mandatory ? 'yes' : 'no',
      say(lesson.reached),
      say(lesson.completed),
      lesson.medianDays,
      say(lesson.stopped),
      say(lesson.stoppedBecause?.expired ?? null),
      say(lesson.stoppedBecause?.withdrawn ?? null),
    ]),
  );
  return csvReply(`completion-${params.course}`, HEADER, rows);
}
