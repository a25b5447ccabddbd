import { type Assessment, questionsPerAttempt } from '@officium/contract/assessment';
import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { CourseJourney, readCourse, readLesson } from '@officium/contract/learner';
import type { z } from 'zod';
import { BASIC } from '#server/access/can.ts';
import { pickText } from '#server/text/localised.ts';
import { toCertificate, toValidity } from '#server/areas/certificates/certificate.view.ts';
import { toChanges } from './change.view.ts';
import { isPreview, type CourseAccess, type Enrolment, type JourneyAccess } from './course-access.policy.ts';
import type { CoursePageRow, JourneyPart, LessonPageRow, OutlineRow, ProgressCounts } from './learner.rows.ts';
import { toCover } from './enrolment.view.ts';
import { toProgress } from './progress.view.ts';

export type CourseViewOptions = { locale: Locale; publicUrl: string; isSignedIn?: boolean; sells?: boolean };

type Outline = z.output<typeof CourseJourney>['sections'];

function toEnrolment(enrolment: Enrolment | null) {
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

/** Counts progress from the completions in the outline, as `count_progress` does in the database. */
function countProgress(outline: OutlineRow[]): ProgressCounts {
  const mandatory = outline.filter((lesson) => lesson.mandatory);
  const isDone = ({ completedAt }: OutlineRow) => completedAt !== null;
  const minutesOf = (lessons: OutlineRow[]) => lessons.reduce((sum, { minutes }) => sum + minutes, 0);
  const done = mandatory.filter(isDone);
  return {
    mandatory_lessons: mandatory.length,
    mandatory_minutes: minutesOf(mandatory),
    completed_lessons: done.length,
    completed_minutes: minutesOf(done),
    optional_lessons: outline.length - mandatory.length,
    completed_optional_lessons: outline.filter(isDone).length - done.length,
  };
}

/** The part of a journey that course and lesson pages share. */
function toJourney(journey: JourneyAccess, part: JourneyPart, { locale, publicUrl }: CourseViewOptions) {
  return {
    slug: journey.slug,
    title: pickText(journey.title, locale).text,
    enrolment: toEnrolment(journey.enrolment),
    canEnrol: journey.canEnrol,
    wayIn: journey.wayIn,
    progress: journey.enrolment && toProgress(countProgress(part.outline)),
    certificate: part.certificate && toCertificate(part.certificate, publicUrl),
    validity: toValidity(part.validity, journey),
    sections: toSections(journey, part.outline, locale),
  };
}

export function toCourse(
  course: CourseAccess,
  page: CoursePageRow,
  journeys: JourneyAccess[],
  options: CourseViewOptions,
): ReplyOf<typeof readCourse> {
  const { locale } = options;
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
      topics: page.topics,
      contacts: page.contacts.map(({ name, role, email, profileId }) => ({
        name,
        role: pickText(role, locale).text || null,
        email,
        profileId: options.isSignedIn ? profileId : null,
      })),
      academies: page.academies.map((academy) => ({ slug: academy.slug, title: pickText(academy.title, locale).text })),
      journeys: journeys.flatMap((journey) => {
        const part = page.journeys[journey.key];
        if (!part) return [];
        return {
          ...toJourney(journey, part, options),
          changes: toChanges(page.changes[journey.key] ?? null, locale),
          privacy: journey.privacy,
          price: options.sells ? journey.price : null,
          canBuy: options.sells === true && journey.canBuy,
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

function toAssessment(
  { passMark, attempts, minutes, draw, drawTags, review }: Assessment,
  { questions, attempts: own }: Pick<LessonPageRow, 'questions' | 'attempts'>,
): NonNullable<ReplyOf<typeof readLesson>['lesson']['assessment']> {
  return {
    questions: questionsPerAttempt({ draw, drawTags }, questions),
    passMark,
    attempts,
    minutes: minutes && Math.ceil((minutes * (100 + (own?.extraTime ?? 0))) / 100),
    review,
    attemptsUsed: own?.used ?? 0,
    best: own?.best ?? null,
    passed: own?.passed ?? false,
    openAttempt: own?.open ?? null,
    lastAttempt: own?.last ?? null,
    waits: own?.waits ?? false,
  };
}

export function toLesson(
  course: CourseAccess,
  journey: JourneyAccess,
  page: LessonPageRow,
  options: CourseViewOptions,
): ReplyOf<typeof readLesson> {
  const { locale } = options;
  const { outline } = page;
  const at = outline.findIndex(({ slug }) => slug === page.slug);
  const completedAt = outline[at]?.completedAt ?? null;
  const canRead = journey.level >= BASIC;
  const title = pickText(page.title, locale);
  return {
    course: {
      id: course.id,
      slug: course.slug,
      title: pickText(course.title, locale).text,
      humanTranslation: course.humanTranslation,
    },
    journey: { id: journey.id, ...toJourney(journey, page, options) },
    lesson: {
      id: page.id,
      slug: page.slug,
      title: title.text,
      titleLocale: title.locale,
      minutes: page.minutes,
      mandatory: page.mandatory,
      completed: completedAt !== null,
      completedAt: completedAt === null ? null : new Date(completedAt).toISOString(),
      preview: !canRead,
      html: page.html ?? '',
      headings: page.headings ?? [],
      shownLocale: page.shown_locale,
      locales: page.locales,
      previous: toLink(outline[at - 1], locale),
      next: toLink(outline[at + 1], locale),
      discussion: canRead
        ? { question: pickText(page.discussion, locale).text || null, activityId: page.activity_id, canOpen: canRead }
        : null,
      assessment: page.assessment && toAssessment(page.assessment, page),
    },
  };
}
