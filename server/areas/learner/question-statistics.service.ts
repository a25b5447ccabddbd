import { type QuestionStatistics, STATISTICS_PEOPLE } from '@officium/contract/question-statistics';
import type { UserViewer } from '#server/access/viewer.ts';
import { openAs } from '#server/areas/authoring/piece-open.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { addAttempt, type QuestionTally, uncountedOf } from './question-statistics.policy.ts';
import * as repository from './question-statistics.repository.ts';
import { toStatistics } from './question-statistics.view.ts';

/** Attempts repeat their questions, some kilobytes each and at most half a megabyte, so few are read at once. */
const AT_ONCE = 20;

/** How the questions of an assessment do, for those who may edit it. */
export async function readQuestionStatistics(ctx: Ctx, viewer: UserViewer, key: string): Promise<QuestionStatistics> {
  await openAs(ctx.db, viewer, { kind: 'lesson', key }, 'edit-content');
  const found = await repository.findFirstAttempts(ctx.db, { lessonKey: key, limit: STATISTICS_PEOPLE });
  const ids = found.ids.slice(uncountedOf(found.total));
  const tallies = new Map<string, QuestionTally>();
  for (let at = 0; at < ids.length; at += AT_ONCE)
    for (const attempt of await repository.findFinished(ctx.db, ids.slice(at, at + AT_ONCE)))
      addAttempt(tallies, attempt);
  return toStatistics(ids.length, tallies, await repository.findPublishedQuestions(ctx.db, key));
}
