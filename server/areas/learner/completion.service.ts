import type { Locale } from '@officium/contract/common';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/errors.ts';
import { findCompletions, insertCompletion, updateCompletion } from './completion.repository.ts';
import { lessonAccess, requireEnrolment } from './course-access.service.ts';
import { lockEnrolment, markCompleted } from './enrolment.repository.ts';
import type { JourneySlugs } from './enrolment.service.ts';
import type { CompletionRow } from './learner.rows.ts';
import { isComplete } from './progress.policy.ts';
import { getProgress } from './progress.repository.ts';

type Input = JourneySlugs & { lessonSlug: string; locale: Locale };

/**
 * Completes a lesson, once, and its journey with the last mandatory one. Answers the key of the lesson. The place is
 * locked, so that of two last lessons completed at the same moment one sees the other.
 */
export async function completeLesson(ctx: Ctx, actor: UserViewer, input: Input): Promise<string> {
  const { journey, lesson } = await lessonAccess(ctx.db, actor, {
    by: 'slug',
    course: input.courseSlug,
    journey: input.journeySlug,
    lesson: input.lessonSlug,
  });
  requireEnrolment(journey);
  await inTransaction(ctx.db, async (trx) => {
    const learner = { userId: actor.id, journeyKey: journey.key };
    const place = await lockEnrolment(trx, learner);
    if (!place) throw new AppError('learner.not_enrolled');
    if (place.status !== 'enrolled') throw new AppError('learner.enrolment_expired');
    const id = await insertCompletion(trx, { userId: actor.id, lessonKey: lesson.key, locale: input.locale });
    const progress = await getProgress(trx, learner);
    if (id !== undefined) await updateCompletion(trx, { id, progress });
    if (place.completed_at === null && isComplete(progress)) await markCompleted(trx, place.id);
  });
  return lesson.key;
}

/** The same, with the record of it. */
export async function recordLesson(ctx: Ctx, actor: UserViewer, input: Input): Promise<CompletionRow> {
  const lessonKey = await completeLesson(ctx, actor, input);
  const [completion] = await findCompletions(ctx.db, { userId: actor.id, lessonKey });
  if (!completion) throw new AppError('request.conflict'); // erased at the same moment
  return completion;
}

export async function listMyCompletions(ctx: Ctx, actor: UserViewer): Promise<CompletionRow[]> {
  return await findCompletions(ctx.db, { userId: actor.id });
}
