import type { ProgressRow } from './learner.rows.ts';

/** A journey without mandatory lessons is never complete. */
export function isComplete({ completedLessons, mandatoryLessons }: ProgressRow): boolean {
  return mandatoryLessons > 0 && completedLessons >= mandatoryLessons;
}
