import type { ProgressSnapshot } from './learner.rows.ts';

/** A journey without mandatory lessons is never complete. */
export function isComplete({
  completedLessons,
  mandatoryLessons,
}: Pick<ProgressSnapshot, 'completedLessons' | 'mandatoryLessons'>): boolean {
  return mandatoryLessons > 0 && completedLessons >= mandatoryLessons;
}
