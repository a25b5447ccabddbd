import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { CourseJourney, readCourse, readLesson } from '@officium/contract/learner';
import type { z } from 'zod';
import { BASIC } from '#server/access/can.ts';
import { pickText } from '#server/text/localised.ts';
import { toCertificate } from '#server/areas/certificates/certificate.view.ts';
import { toChanges } from './change.view.ts';
import { isPreview, type CourseAccess, type Enrolment, type JourneyAccess } from './course-access.policy.ts';
import type { CoursePageRow, JourneyPart, LessonPageRow, OutlineRow, ProgressRow } from './learner.rows.ts';
import { toCover } from './enrolment.view.ts';

export type CourseReader = { locale: Locale; publicUrl: string };

type Outline = z.output<typeof CourseJourney>['sections'];

function toPlace(enrolment: Enrolment | null) {
  return (
    enrolment && {
      status: enrolment.status,
      expiresOn: enrolment.expiresOn?.toISOString() ?? null,
      completedAt: enrolment.completedAt?.toISOString() ?? null,
    }
  );
}

function toSections(journey: JourneyAccess, outline: OutlineRow[], locale: Locale): Outline {
  const sections: (Outline[number] & { key: string | null })[] = [];
  for (const [index, row] of outline.entries()) {
    let section = sections.at(-1);
    if (!section || section.key !== row.sectionKey) {
      section = { key: row.sectionKey, heading: pickText(row.heading, locale).text, lessons: [] };
      sections.push(section);
    }
    section.lessons.push({
      slug: row.slug,
      title: pickText(row.title, locale).text,
      minutes: row.minutes,
      mandatory: row.mandatory,
      completed: row.completedAt !== null,
      readable: !journey.isWithdrawn && (journey.level >= BASIC || isPreview(journey, index === 0)),
    });
  }
  return sections.map(({ heading, lessons }) => ({ heading, lessons }));
}

/** The progress of whose completions stand in the outline, as the function `journey_progress` counts it. */
function progressIn(outline: OutlineRow[]): ProgressRow {
  const mandatory = outline.filter((lesson) => lesson.mandatory);
  const isDone = ({ completedAt }: OutlineRow) => completedAt !== null;
  const minutesOf = (lessons: OutlineRow[]) => lessons.reduce((sum, { minutes }) => sum + minutes, 0);
  const done = mandatory.filter(isDone);
  return {
    completedLessons: done.length,
    completedTime: minutesOf(done),
    mandatoryLessons: mandatory.length,
    mandatoryTime: minutesOf(mandatory),
    optional: {
      completedLessons: outline.filter(isDone).length - done.length,
      lessons: outline.length - mandatory.length,
    },
  };
}

/** What the pages of a course and of a lesson both say of a journey. */
function toJourney(journey: JourneyAccess, part: JourneyPart, { locale, publicUrl }: CourseReader) {
  return {
    slug: journey.slug,
    title: pickText(journey.title, locale).text,
    enrolment: toPlace(journey.enrolment),
    canEnrol: journey.canEnrol,
    wayIn: journey.wayIn,
    progress: journey.enrolment && progressIn(part.outline),
    certificate: part.certificate && toCertificate(part.certificate, publicUrl),
    sections: toSections(journey, part.outline, locale),
  };
}

export function toCourse(
  course: CourseAccess,
  page: CoursePageRow,
  journeys: JourneyAccess[],
  reader: CourseReader,
): ReplyOf<typeof readCourse> {
  const { locale } = reader;
  const title = pickText(course.title, locale);
  return {
    course: {
      id: course.id,
      slug: course.slug,
      type: course.type,
      title: title.text,
      summary: pickText(page.summary, locale).text,
      shownLocale: title.locale,
      locales: page.locales,
      humanTranslation: course.humanTranslation,
      cover: toCover(page.cover_key, page.cover_alt, locale),
      academies: page.academies.map((academy) => ({ slug: academy.slug, title: pickText(academy.title, locale).text })),
      journeys: journeys.flatMap((journey) => {
        const part = page.journeys[journey.key];
        if (!part) return [];
        return {
          ...toJourney(journey, part, reader),
          changes: toChanges(page.changes[journey.key] ?? null, locale),
          privacy: journey.privacy,
          minutes: part.outline.reduce((sum, { minutes }) => sum + minutes, 0),
          lessons: part.outline.length,
        };
      }),
    },
  };
}

function toLink(row: OutlineRow | undefined, locale: Locale) {
  return row ? { slug: row.slug, title: pickText(row.title, locale).text } : null;
}

export function toLesson(
  course: CourseAccess,
  journey: JourneyAccess,
  page: LessonPageRow,
  reader: CourseReader,
): ReplyOf<typeof readLesson> {
  const { locale } = reader;
  const { outline } = page;
  const at = outline.findIndex(({ slug }) => slug === page.slug);
  const completedAt = outline[at]?.completedAt ?? null;
  const isReader = journey.level >= BASIC;
  return {
    course: {
      id: course.id,
      slug: course.slug,
      title: pickText(course.title, locale).text,
      humanTranslation: course.humanTranslation,
    },
    journey: { id: journey.id, ...toJourney(journey, page, reader) },
    lesson: {
      id: page.id,
      slug: page.slug,
      title: pickText(page.title, locale).text,
      minutes: page.minutes,
      mandatory: page.mandatory,
      completed: completedAt !== null,
      completedAt: completedAt === null ? null : new Date(completedAt).toISOString(),
      preview: !isReader,
      html: page.html ?? '',
      headings: page.headings ?? [],
      shownLocale: page.shown_locale,
      locales: page.locales,
      previous: toLink(outline[at - 1], locale),
      next: toLink(outline[at + 1], locale),
      discussion: isReader
        ? { question: pickText(page.discussion, locale).text || null, activityId: page.activity_id, canOpen: isReader }
        : null,
    },
  };
}
