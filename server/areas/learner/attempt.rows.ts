import type { Assessment } from '@officium/contract/assessment';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';

/** Answers from before there were such questions have no `places` and `gaps`. */
export type StoredAnswer = { choice: number[]; text: string; places?: number[]; gaps?: string[] };
/** Answers by the number of their question, from 1. */
export type StoredAnswers = Partial<Record<string, StoredAnswer>>;

/** Points for each criterion, or one number for the whole answer. */
export type StoredMark = { points: number[]; comment: string };
/** Marks by the number of their question. */
export type StoredMarks = Partial<Record<string, StoredMark>>;

export type AttemptRow = {
  id: string;
  locale: string;
  pass_mark: number;
  review: Assessment['review'];
  /** As drawn and shuffled, with their keys. */
  questions: AssessmentQuestion[];
  answers: StoredAnswers;
  marks: StoredMarks;
  started_at: Date;
  due_at: Date | null;
  submitted_at: Date | null;
  score: number | null;
  passed: boolean | null;
  seconds_left: number | null;
  /** The deadline and its grace are over, so nothing can change any more. */
  is_overdue: boolean;
  /** The files of the course, which its texts may show. */
  asset_keys: string[];
};

/** The own attempts at an assessment, for the page of its lesson. */
export type AttemptSummary = {
  used: number;
  best: number | null;
  passed: boolean;
  open: string | null;
  last: string | null;
  /** An ended attempt has answers to mark. */
  waits: boolean;
  /** Percent of the time limit. */
  extraTime: number | null;
};
