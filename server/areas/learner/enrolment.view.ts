import type { Locale } from '@officium/contract/common';
import type { Cover, CourseRecord, JourneyEnrolment, MyJourney, MyLearning } from '@officium/contract/learner';
import type { z } from 'zod';
import { assetUrl } from '#server/areas/catalogue/stored-asset.view.ts';
import { pickText } from '#server/text/localised.ts';
import { toCertificate, toValidity } from '#server/areas/certificates/certificate.view.ts';
import { toChanges } from './change.view.ts';
import type { EnrolmentRow } from './learner.rows.ts';
import { toProgress } from './progress.view.ts';

type View<S extends z.core.$ZodType> = z.output<S>;

export function toJourneyEnrolment(row: EnrolmentRow): View<typeof JourneyEnrolment> {
  return {
    id: row.id,
    courseSlug: row.course_slug,
    journeySlug: row.journey_slug,
    locale: row.locale,
    status: row.status,
    expiresOn: row.expires_on?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    contentfulMetadata: { courseId: row.course_id, journeyId: row.journey_id },
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function toCourseRecord(row: EnrolmentRow, publicUrl: string): View<typeof CourseRecord> {
  const { status, ...record } = toJourneyEnrolment(row);
  const { bulkEnrolment, cohortIds } = row.metadata;
  return {
    ...record,
    isEnrolled: status === 'enrolled',
    certificate: row.certificate && toCertificate(row.certificate, publicUrl),
    stripeMetadata: {
      bulkEnrolment: bulkEnrolment === true,
      cohortIds: Array.isArray(cohortIds) ? cohortIds.map(String) : [],
    },
  };
}

export function toMyJourney(row: EnrolmentRow, locale: Locale, publicUrl: string): View<typeof MyJourney> {
  return {
    journeySlug: row.journey_slug,
    title: pickText(row.journey_title, locale).text,
    status: row.status,
    expiresOn: row.expires_on?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    certificate: row.certificate && toCertificate(row.certificate, publicUrl),
    progress: toProgress(row.progress),
  };
}

export function toMyLearning(row: EnrolmentRow, locale: Locale, publicUrl: string): View<typeof MyLearning> {
  const next = row.next_lesson;
  return {
    ...toMyJourney(row, locale, publicUrl),
    course: {
      slug: row.course_slug,
      title: pickText(row.course_title, locale).text,
      cover: toCover(row.cover_key, row.cover_alt, locale),
    },
    dueOn: row.is_withdrawn ? null : row.due_on,
    isWithdrawn: row.is_withdrawn,
    changes: row.is_withdrawn ? null : toChanges(row.changes, locale),
    evaluation: row.evaluation,
    validity: toValidity(row.validity, { isWithdrawn: row.is_withdrawn }),
    enrolledAt: row.created_at.toISOString(),
    lastActivityAt: row.last_activity_at.toISOString(),
    minutesLeft: row.progress.mandatory_minutes - row.progress.completed_minutes,
    nextLesson: next && { slug: next.slug, title: pickText(next.title, locale).text, minutes: next.minutes },
  };
}

/** `key` identifies the stored picture. */
export function toCover(key: string | null, alt: EnrolmentRow['cover_alt'], locale: Locale): View<typeof Cover> | null {
  return key === null ? null : { url: assetUrl(key), alt: pickText(alt, locale).text };
}
