import type { Transcript } from '@officium/contract/transcripts';
import { csvReply } from './csv.ts';

const HEADER = [
  'kind',
  'title',
  'journey',
  'status',
  'completedAt',
  'minutes',
  'certificateNumber',
  'certificateStatus',
  'certificateExpiresAt',
  'completedLessons',
  'mandatoryLessons',
  'dueOn',
];

/** A transcript as CSV: what was completed, then what was not. */
export function transcriptCsv({ completed, current }: Transcript): Response {
  return csvReply('transcript', HEADER, [
    ...completed.map(({ kind, title, journeyTitle, completedAt, minutes, certificate }) => [
      kind,
      title,
      journeyTitle,
      'completed',
      completedAt,
      minutes,
      certificate?.number,
      certificate?.status,
      certificate?.expiresAt,
      null,
      null,
      null,
    ]),
    ...current.map(({ courseTitle, journeyTitle, status, completedLessons, mandatoryLessons, dueOn }) => [
      'journey',
      courseTitle,
      journeyTitle,
      status,
      null,
      null,
      null,
      null,
      null,
      completedLessons,
      mandatoryLessons,
      dueOn,
    ]),
  ]);
}
