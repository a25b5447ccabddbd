import type { Locale } from '@officium/contract/common';
import type { JourneyCompletionFigures } from '@officium/contract/course-reports';
import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import { pickText } from '#server/text/localised.ts';
import type { CourseReportRow } from './course-report.repository.ts';

type Lesson = JourneyCompletionFigures['lessons'][number];

/** Null for a number that would tell about few people. */
type Say = (count: number) => number | null;
const sayAll: Say = (count) => count;
const sayNothing: Say = () => null;
const sayLarge: Say = (count) => (count === 0 || count >= LEAST_PUBLISHED ? count : null);

/** Withholds small numbers where a filter narrows to few people. */
export function toJourneyFigures(
  rows: CourseReportRow[],
  { locale, isNarrowed }: { locale: Locale; isNarrowed: boolean },
): JourneyCompletionFigures[] {
  const slugs = [...new Set(rows.map(({ journey_slug }) => journey_slug))];
  return slugs.flatMap((slug) => {
    const own = rows.filter(({ journey_slug }) => journey_slug === slug);
    const [first] = own;
    if (!first) return [];
    const say = !isNarrowed ? sayAll : first.people < LEAST_PUBLISHED ? sayNothing : sayLarge;
    return [
      {
        journeySlug: slug,
        title: pickText(first.journey_title, locale).text,
        people: say(first.people),
        started: say(first.started),
        completed: say(first.finished),
        neverStarted: say(first.never_started),
        lessons: own.flatMap((row) =>
          row.lesson_slug === null ? [] : [toLesson(row, row.lesson_slug, { say, locale })],
        ),
      },
    ];
  });
}

function toLesson(row: CourseReportRow, slug: string, { say, locale }: { say: Say; locale: Locale }): Lesson {
  const { completed, stopped, expired, withdrawn } = row;
  // The rest without a known reason would follow from the others, so all parts are told or none.
  const parts = [stopped, expired, withdrawn, stopped - expired - withdrawn].map(say);
  return {
    lessonSlug: slug,
    title: pickText(row.lesson_title, locale).text,
    mandatory: row.mandatory,
    reached: say(row.reached),
    completed: say(completed),
    medianDays: say(completed) === null || row.median_days === null ? null : Math.round(row.median_days * 10) / 10,
    stopped: say(stopped),
    stoppedBecause: parts.includes(null) ? null : { expired, withdrawn },
  };
}
