import type { Locale, LocalizedText } from '@officium/contract/common';
import type { AcademyCard, CourseCard, MicrocourseCard } from '@officium/contract/content';
import { LOCALES } from '@officium/i18n/locales';
import { pickText } from '#server/text/localised.ts';
import type { AcademyFactsRow, CourseFactsRow, JourneyFacts, MicrocourseFactsRow } from './catalogue.repository.ts';
import { assetUrl } from './stored-asset.view.ts';

/** A course with its journeys that a viewer may see. */
export type SeenCourse = { row: CourseFactsRow; journeys: JourneyFacts[] };

export function toCover(
  row: { cover_key: string | null; cover_alt: LocalizedText },
  locale: Locale,
): CourseCard['cover'] {
  return row.cover_key === null ? null : { url: assetUrl(row.cover_key), alt: pickText(row.cover_alt, locale).text };
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

export function minutesOf({ journeys }: SeenCourse): number {
  return sum(journeys.map((journey) => journey.minutes));
}

/** Languages in which every lesson has a text. For a course without lessons, the languages of its title. */
export function localesOf({ row, journeys }: SeenCourse): Locale[] {
  const lessons = sum(journeys.map((journey) => journey.lessons));
  return LOCALES.filter((locale) =>
    lessons === 0
      ? row.title[locale] !== undefined
      : sum(journeys.map((journey) => journey.written[locale] ?? 0)) === lessons,
  );
}

export function toCourseCard(course: SeenCourse, academies: AcademyFactsRow[], locale: Locale): CourseCard {
  const { row, journeys } = course;
  const title = pickText(row.title, locale);
  return {
    id: row.id,
    slug: row.slug,
    title: title.text,
    summary: pickText(row.summary, locale).text,
    shownLocale: title.locale,
    locales: localesOf(course),
    humanTranslation: row.human_translation,
    minutes: minutesOf(course),
    lessons: sum(journeys.map((journey) => journey.lessons)),
    journeys: journeys.length,
    cover: toCover(row, locale),
    topics: row.topics,
    academies: academies
      .filter((academy) => academy.course_ids.includes(row.id))
      .map((academy) => ({ slug: academy.slug, title: pickText(academy.title, locale).text })),
  };
}

export function toMicrocourseCard(row: MicrocourseFactsRow, locale: Locale): MicrocourseCard {
  const title = pickText(row.title, locale);
  return {
    id: row.id,
    slug: row.slug,
    title: title.text,
    summary: pickText(row.summary, locale).text,
    shownLocale: title.locale,
    locales: row.locales,
    humanTranslation: row.human_translation,
    minutes: row.minutes,
    cover: toCover(row, locale),
    topics: row.topics,
  };
}

/** `courses` are the ones the viewer may see. */
export function toAcademyCard(row: AcademyFactsRow, courses: SeenCourse[], locale: Locale): AcademyCard {
  const title = pickText(row.title, locale);
  const own = courses.filter((course) => row.course_ids.includes(course.row.id));
  return {
    id: row.id,
    slug: row.slug,
    title: title.text,
    description: pickText(row.description, locale).text,
    shownLocale: title.locale,
    locales: LOCALES.filter((candidate) => row.title[candidate] !== undefined),
    cover: toCover(row, locale),
    topics: row.topics,
    courses: own.length,
    minutes: sum(own.map(minutesOf)),
  };
}
