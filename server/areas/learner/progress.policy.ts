import type { Progress } from '@officium/contract/learner';
import type { z } from 'zod';

export type ProgressRow = z.output<typeof Progress>;

/** A journey without mandatory lessons is never complete. */
export function isComplete({ completedLessons, mandatoryLessons }: ProgressRow): boolean {
  return mandatoryLessons > 0 && completedLessons >= mandatoryLessons;
}
