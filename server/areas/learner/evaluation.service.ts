import type { Locale } from '@officium/contract/common';
import { LEAST_PUBLISHED } from '@officium/contract/decisions';
import type { Evaluation } from '@officium/contract/evaluation';
import { EVALUATION_TEXTS, type EvaluationResults } from '@officium/contract/evaluation-results';
import type { MyEvaluation } from '@officium/contract/evaluations';
import type { UserViewer } from '#server/access/viewer.ts';
import { openAs } from '#server/areas/authoring/piece-open.service.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { pickText } from '#server/text/localised.ts';
import { journeyAccess, requireOpenRecords } from './course-access.service.ts';
import type { JourneySlugs } from './enrolment.service.ts';
import { addAnswers, EMPTY_BATCH, fittingAnswers, readBatch, writeBatch } from './evaluation.policy.ts';
import type { EvaluationAnswer } from './evaluation.rows.ts';
import * as repository from './evaluation.repository.ts';
import * as results from './evaluation-results.repository.ts';
import { toMyQuestions, toResults } from './evaluation.view.ts';

/** An evaluation is for those who completed the journey, also after their enrolment has ended. */
async function open(db: Db, actor: UserViewer, { courseSlug, journeySlug }: JourneySlugs) {
  const slugs = { by: 'slug', course: courseSlug, journey: journeySlug } as const;
  const { course, journey } = await journeyAccess(db, actor, slugs);
  requireOpenRecords(actor, course);
  const place = { userId: actor.id, journeyKey: journey.key };
  const { evaluation, outcome } = await repository.getEvaluation(db, place);
  if (evaluation.length === 0) throw notFound();
  if (!journey.enrolment?.completedAt) throw new AppError('learner.not_completed');
  return { place, journey, evaluation, state: outcome ?? ('open' as const) };
}

export async function readMyEvaluation(
  ctx: Ctx,
  actor: UserViewer,
  { locale, ...slugs }: JourneySlugs & { locale: Locale },
): Promise<MyEvaluation> {
  const { journey, evaluation, state } = await open(ctx.db, actor, slugs);
  return { title: pickText(journey.title, locale).text, state, questions: toMyQuestions(evaluation, locale) };
}

export async function skipEvaluation(ctx: Ctx, actor: UserViewer, slugs: JourneySlugs): Promise<void> {
  const { place } = await open(ctx.db, actor, slugs);
  await repository.insertSkipped(ctx.db, place);
}

/** Takes the answers of one person, of which only the fact remains with them. */
export async function answerEvaluation(
  ctx: Ctx,
  actor: UserViewer,
  slugs: JourneySlugs,
  answers: readonly EvaluationAnswer[],
): Promise<void> {
  const { place, evaluation, state } = await open(ctx.db, actor, slugs);
  if (state === 'answered') throw new AppError('learner.evaluation_answered');
  const given = fittingAnswers(evaluation, answers);
  if (!given) throw new AppError('learner.question_changed');
  if (given.length === 0) throw new AppError('learner.answer_missing');
  await inTransaction(ctx.db, async (db) => {
    if (!(await repository.insertAnswered(db, place))) throw new AppError('learner.evaluation_answered');
    await count(ctx, db, place.journeyKey, { evaluation, given });
  });
}

/**
 * Answers wait sealed until those of enough people are counted at once: the rows that a transaction writes would
 * otherwise tell whose they are, and so would two readings of the results.
 */
async function count(
  { seal }: Ctx,
  db: Db,
  journeyKey: string,
  { evaluation, given }: { evaluation: Evaluation; given: readonly EvaluationAnswer[] },
): Promise<void> {
  const owner = `evaluation ${journeyKey}`;
  const sealed = await repository.lockWaiting(db, journeyKey);
  const opened = sealed ? seal.open(sealed, owner) : undefined;
  // Waiting answers are lost with the key of the installation.
  const batch = addAnswers(opened ? readBatch(opened) : EMPTY_BATCH, evaluation, given);
  if (batch.people < LEAST_PUBLISHED) await repository.putWaiting(db, journeyKey, seal.close(writeBatch(batch), owner));
  else await repository.countBatch(db, journeyKey, batch);
}

export async function readEvaluationResults(
  ctx: Ctx,
  viewer: UserViewer,
  { key, locale }: { key: string; locale: Locale },
): Promise<EvaluationResults> {
  await openAs(ctx.db, viewer, { kind: 'journey', key }, 'edit-content');
  const row = await results.getResults(ctx.db, key);
  if (!row) return { asked: 0, people: 0, questions: [] };
  const counted = [];
  for (const each of await results.findCounts(ctx.db, key)) {
    const isTyped = each.question.type === 'text' && each.answers >= LEAST_PUBLISHED;
    counted.push({ ...each, texts: isTyped ? await results.findTexts(ctx.db, key, each, EVALUATION_TEXTS) : [] });
  }
  return toResults(row, counted, locale);
}
