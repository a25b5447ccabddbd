import type { Progress } from '@officium/contract/learner';
import type { z } from 'zod';
import type { ProgressCounts } from './learner.rows.ts';

export function toProgress(counts: ProgressCounts): z.output<typeof Progress> {
  return {
    completedLessons: counts.completed_lessons,
    completedTime: counts.completed_minutes,
    mandatoryLessons: counts.mandatory_lessons,
    mandatoryTime: counts.mandatory_minutes,
    optional: { completedLessons: counts.completed_optional_lessons, lessons: counts.optional_lessons },
  };
}
