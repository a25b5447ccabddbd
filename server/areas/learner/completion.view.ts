import type { LessonCompletion } from '@officium/contract/learner';
import type { z } from 'zod';
import type { CompletionRow } from './learner.rows.ts';
import { toProgress } from './progress.view.ts';

export function toLessonCompletion(row: CompletionRow): z.output<typeof LessonCompletion> {
  return {
    id: row.id,
    courseSlug: row.course_slug,
    journeySlug: row.journey_slug,
    lessonSlug: row.lesson_slug,
    locale: row.locale,
    eventType: 'completed',
    contentfulMetadata: { courseId: row.course_id, journeyId: row.journey_id, lessonId: row.lesson_id },
    progressSnapshot: row.snapshot ?? toProgress(row.counts!), // one of the two is set
    createdAt: row.completed_at.toISOString(),
    updatedAt: row.completed_at.toISOString(),
  };
}
