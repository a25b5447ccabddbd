import type { LocalizedText } from '@officium/contract/common';
import type { AttemptRow } from './attempt.rows.ts';

/** An ended attempt as lists of markers show it. */
export type MarkedRow = {
  id: string;
  learner_id: string;
  learner_name: string;
  course_id: string;
  course_slug: string;
  course_title: LocalizedText;
  lesson_title: LocalizedText;
  submitted_at: Date;
  score: number | null;
  passed: boolean | null;
};

export type MarkingRow = MarkedRow &
  Pick<AttemptRow, 'locale' | 'pass_mark' | 'questions' | 'answers' | 'marks' | 'asset_keys'> & {
    lesson_key: string;
    journey_key: string;
    mark_version: number;
  };
