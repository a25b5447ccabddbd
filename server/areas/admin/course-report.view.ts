import type { Locale } from '@officium/contract/common';
import type { JourneyCompletionFigures } from '@officium/contract/course-reports';
import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import { pickText } from '#server/text/localised.ts';
import type { CourseReportRow } from './course-report.repository.ts';

type Lesson = JourneyCompletionFigures['lessons'][number];

/** Reads a number of a row; null if it would tell about few people. */
type Say = (read: (row: CourseReportRow) => number) => number | null;
const isLarge = (count: number) => count === 0 || count >= LEAST_PUBLISHED;

/**
 * A filter splits the people of `whole` in two, those who are counted and the rest, and both reports can be had, one of
 * them as a difference. So a number is told only if it is large for both.
 */
function sayOf(row: CourseReportRow, whole: CourseReportRow | undefined): Say {
  if (!whole) return (read) => read(row);
  const isFew = row.people < LEAST_PUBLISHED || !isLarge(whole.people - row.people);
  return (read) => (!isFew && isLarge(read(row)) && isLarge(read(whole) - read(row)) ? read(row) : null);
}

/** `whole`: the same report without its filter, if it has one; then small numbers are withheld. */
export function toJourneyFigures(
  rows: CourseReportRow[],
  { locale, whole }: { locale: Locale; whole: CourseReportRow[] | undefined },
): JourneyCompletionFigures[] {
  const keyOf = ({ journey_slug, lesson_slug }: CourseReportRow) => `${journey_slug} ${lesson_slug}`;
  const unfiltered = new Map(whole?.map((row) => [keyOf(row), row]));
  // A lesson published between the two queries has no unfiltered numbers.
  const shown = rows.filter((row) => !whole || unfiltered.has(keyOf(row)));
  const slugs = [...new Set(shown.map(({ journey_slug }) => journey_slug))];
  return slugs.flatMap((slug) => {
    const own = shown.filter(({ journey_slug }) => journey_slug === slug);
    const [first] = own;
    if (!first) return [];
    const say = sayOf(first, unfiltered.get(keyOf(first)));
    return [
      {
        journeySlug: slug,
        title: pickText(first.journey_title, locale).text,
        people: say((row) => row.people),
        started: say((row) => row.started),
        completed: say((row) => row.finished),
        neverStarted: say((row) => row.never_started),
        lessons: own.flatMap((row) =>
          row.lesson_slug === null
            ? []
            : [toLesson(row, row.lesson_slug, { say: sayOf(row, unfiltered.get(keyOf(row))), locale })],
        ),
      },
    ];
  });
}

function toLesson(row: CourseReportRow, slug: string, { say, locale }: { say: Say; locale: Locale }): Lesson {
  const { expired, withdrawn } = row;
  // The rest without a known reason would follow from the others, so all parts are told or none.
  const parts = [
    say((of) => of.stopped),
    say((of) => of.expired),
    say((of) => of.withdrawn),
    say((of) => of.stopped - of.expired - of.withdrawn),
  ];
  const completed = say((of) => of.completed);
  return {
    lessonSlug: slug,
    title: pickText(row.lesson_title, locale).text,
    mandatory: row.mandatory,
    reached: say((of) => of.reached),
    completed,
    medianDays: completed === null || row.median_days === null ? null : Math.round(row.median_days * 10) / 10,
    stopped: parts[0] ?? null,
    stoppedBecause: parts.includes(null) ? null : { expired, withdrawn },
  };
}
