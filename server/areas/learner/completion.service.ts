import type { Locale } from '@officium/contract/common';
import { openCourseSlugs } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError } from '#server/errors.ts';
import * as repository from './completion.repository.ts';
import { lessonAccess, requireEnrolment } from './course-access.service.ts';
import type { JourneySlugs } from './enrolment.service.ts';
import type { CompletionRow } from './learner.rows.ts';

const own = (actor: UserViewer) => ({ userId: actor.id, open: openCourseSlugs(actor) });

type Input = JourneySlugs & { lessonSlug: string; locale: Locale };

/** Completes a lesson once, and its journey with the last mandatory lesson. Returns the key of the lesson. */
export async function completeLesson(ctx: Ctx, actor: UserViewer, input: Input): Promise<string> {
  const { journey, lesson } = await lessonAccess(ctx.db, actor, {
    by: 'slug',
    course: input.courseSlug,
    journey: input.journeySlug,
    lesson: input.lessonSlug,
  });
  requireEnrolment(journey);
  const completion = { userId: actor.id, journeyKey: journey.key, lessonKey: lesson.key, locale: input.locale };
  const outcome = await repository.completeLesson(ctx.db, completion);
  if (outcome === 'absent') throw new AppError('learner.not_enrolled');
  if (outcome === 'unpassed') throw new AppError('learner.not_passed');
  if (outcome !== 'done') throw new AppError('learner.enrolment_expired');
  return lesson.key;
}

/** Completes a lesson and returns its completion. */
export async function recordLesson(ctx: Ctx, actor: UserViewer, input: Input): Promise<CompletionRow> {
  const lessonKey = await completeLesson(ctx, actor, input);
  const [completion] = await repository.findCompletions(ctx.db, { ...own(actor), lessonKey });
  if (!completion) throw new AppError('request.conflict'); // the account was erased concurrently
  return completion;
}

export async function listMyCompletions(ctx: Ctx, actor: UserViewer): Promise<CompletionRow[]> {
  return await repository.findCompletions(ctx.db, own(actor));
}
