import type { JobTask, Level, StatementReference } from '@officium/contract/job-tasks';
import type { MessageKey } from '../../message-keys.ts';

/** The degrees to which language models could change a task. */
export const CATEGORY_WORDS: Record<JobTask['categoryId'], MessageKey> = {
  direct: 'task.category_direct',
  'with-tools': 'task.category_tools',
  unexposed: 'task.category_unexposed',
};

export const RATING_WORDS: Record<StatementReference['ratings']['model'], MessageKey> = {
  E0: 'task.rating_none',
  E1: 'task.rating_direct',
  E2: 'task.rating_tools',
};

export const LEVEL_WORDS: Record<Level, MessageKey> = {
  low: 'task.level_low',
  medium: 'task.level_medium',
  high: 'task.level_high',
};

/** Starts of the levels: thirds of the scale, like the API's levels (docs/futura.md). */
export const LEVEL_STARTS = { medium: 34, high: 67 } as const;

export function levelOf(percentage: number): Level {
  if (percentage >= LEVEL_STARTS.high) return 'high';
  return percentage >= LEVEL_STARTS.medium ? 'medium' : 'low';
}
