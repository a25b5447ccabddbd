import type { Locale } from '@officium/contract/common';
import type { Transcript } from '@officium/contract/transcripts';
import { pickText } from '#server/text/localised.ts';
import { certificateAddresses, certificateStatus } from './certificate.view.ts';
import type { TranscriptJourneyRow, TranscriptPersonRow } from './transcript.repository.ts';

type Completed = Transcript['completed'][number];
type Sums = Transcript['sums'];
/** A completed item, with what the sums need: the course and whether its certificate was revoked. */
type Counted = { item: Completed; courseId: string | null; isRevoked: boolean };
type Site = { publicUrl: string; issuer: string };

export function toTranscript(
  { person, journeys }: { person: TranscriptPersonRow; journeys: TranscriptJourneyRow[] },
  locale: Locale,
  { publicUrl, issuer }: Site,
): Transcript {
  const completed = [
    ...journeys.flatMap((row) =>
      row.completed_at === null ? [] : [toCompleted(row, row.completed_at, { locale, publicUrl })],
    ),
    ...person.microcourses.map((row) => toMicrocourse(row, locale)),
  ].sort((a, b) => b.item.completedAt.localeCompare(a.item.completedAt));
  const counted = completed.filter(({ isRevoked }) => !isRevoked);
  const years = [...new Set(counted.map(yearOf))].sort((a, b) => b - a);
  return {
    person: { id: person.id, name: person.name },
    issuer,
    asOf: person.now.toISOString().slice(0, 10),
    completed: completed.map(({ item }) => item),
    current: journeys.filter(({ completed_at }) => completed_at === null).map((row) => toCurrent(row, locale)),
    years: years.map((year) => ({ year, ...sumOf(counted.filter((one) => yearOf(one) === year)) })),
    sums: sumOf(counted),
  };
}

const yearOf = ({ item }: Counted) => new Date(item.completedAt).getUTCFullYear();

function sumOf(counted: Counted[]): Sums {
  const courses = counted.flatMap(({ courseId }) => (courseId === null ? [] : [courseId]));
  return {
    courses: new Set(courses).size,
    microcourses: counted.length - courses.length,
    minutes: counted.reduce((sum, { item }) => sum + item.minutes, 0),
  };
}

function toCompleted(
  row: TranscriptJourneyRow,
  completedAt: Date,
  { locale, publicUrl }: { locale: Locale; publicUrl: string },
): Counted {
  const { certificate } = row;
  return {
    courseId: row.course_id,
    isRevoked: certificate?.isRevoked ?? false,
    item: {
      kind: 'journey',
      title: pickText(row.course_title, locale).text,
      journeyTitle: pickText(row.journey_title, locale).text,
      courseSlug: row.is_published ? row.course_slug : null,
      microcourseSlug: null,
      completedAt: completedAt.toISOString(),
      minutes: certificate?.minutes ?? Math.max(row.progress.completed_minutes, row.most_minutes),
      certificate: certificate && {
        number: certificate.publicId,
        status: certificateStatus(certificate),
        expiresAt: certificate.expiresAt === null ? null : new Date(certificate.expiresAt).toISOString(),
        verificationUrl: certificateAddresses(publicUrl, certificate.publicId).verificationUrl,
      },
    },
  };
}

function toMicrocourse(row: TranscriptPersonRow['microcourses'][number], locale: Locale): Counted {
  return {
    courseId: null,
    isRevoked: false,
    item: {
      kind: 'microcourse',
      title: pickText(row.title, locale).text,
      journeyTitle: null,
      courseSlug: null,
      microcourseSlug: row.isPublished ? row.slug : null,
      completedAt: new Date(row.completedAt).toISOString(),
      minutes: row.minutes,
      certificate: null,
    },
  };
}

function toCurrent(row: TranscriptJourneyRow, locale: Locale): Transcript['current'][number] {
  return {
    courseTitle: pickText(row.course_title, locale).text,
    journeyTitle: pickText(row.journey_title, locale).text,
    courseSlug: row.is_published ? row.course_slug : null,
    status: row.status ?? 'expired', // without an enrolment there is a certificate, so it is completed
    expiresOn: row.expires_on?.toISOString() ?? null,
    dueOn: row.due_on,
    completedLessons: row.progress.completed_lessons,
    mandatoryLessons: row.progress.mandatory_lessons,
  };
}
