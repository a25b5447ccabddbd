import { randomInt } from 'node:crypto';
import type { readAttempt } from '@officium/contract/assessments';
import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import { chainOf } from '@officium/i18n/locales';
import type { UserViewer } from '#server/access/viewer.ts';
import { signMedia } from '#server/areas/catalogue/media-access.policy.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { type Limit, takeLimit } from '#server/limits/limits.ts';
import { canAnswer, drawQuestions, grade, isEmpty } from './attempt.policy.ts';
import * as repository from './attempt.repository.ts';
import type { StoredAnswer } from './attempt.rows.ts';
import { toAttempt } from './attempt.view.ts';
import { notifyMarkers } from './marking-notice.repository.ts';
import { completeLesson } from './completion.repository.ts';
import { lessonAccess, requireEnrolment } from './course-access.service.ts';

export type LessonSlugs = { courseSlug: string; journeySlug: string; lessonSlug: string };
type AttemptSlugs = LessonSlugs & { attemptId: string };
type Attempt = ReplyOf<typeof readAttempt>;
type Place = { userId: string; journeyKey: string; lessonKey: string };

/** Attempts are for those who may complete the lesson. */
async function placeOf(db: Db, actor: UserViewer, slugs: LessonSlugs): Promise<Place> {
  const { journey, lesson } = await lessonAccess(db, actor, {
    by: 'slug',
    course: slugs.courseSlug,
    journey: slugs.journeySlug,
    lesson: slugs.lessonSlug,
  });
  requireEnrolment(journey);
  return { userId: actor.id, journeyKey: journey.key, lessonKey: lesson.key };
}

async function read(ctx: Ctx, ref: repository.AttemptRef, db: Db = ctx.db): Promise<Attempt> {
  const row = await repository.getAttempt(db, ref);
  if (!row) throw notFound();
  const { asset_keys: keys } = row;
  return toAttempt(row, (html) => signMedia(ctx.seal.hash, { html, keys }, ctx.clock.now()));
}

/** Starts an attempt, or returns the open one. `isNew` tells which. */
export async function startAttempt(
  ctx: Ctx,
  actor: UserViewer,
  { locale, ...slugs }: LessonSlugs & { locale: Locale },
): Promise<{ attempt: Attempt; isNew: boolean }> {
  const place = await placeOf(ctx.db, actor, slugs);
  const { lessonKey } = place;
  return await inTransaction(ctx.db, async (db) => {
    const { extraTime } = await repository.lockEnrolment(db, place);
    const found = await repository.getAssessment(db, { lessonKey, chain: chainOf(locale) });
    const { assessment, questions } = found ?? {};
    if (!found || !assessment || !questions || questions.length === 0) throw notFound();
    for (const { id } of (await repository.findAttempts(db, place)).filter(isLeftOpen)) await end(db, { ...place, id });
    const attempts = await repository.findAttempts(db, place);
    const open = attempts.find(({ submitted_at }) => submitted_at === null);
    if (open) return { attempt: await read(ctx, { ...place, id: open.id }, db), isNew: false };
    if (attempts.some(({ passed }) => passed)) throw new AppError('learner.already_passed');
    if (attempts.some(({ passed }) => passed === null)) throw new AppError('learner.attempt_waits');
    if (assessment.attempts !== null && attempts.length >= assessment.attempts)
      throw new AppError('learner.attempts_used');
    const drawn = drawQuestions(questions, assessment, (below) => randomInt(below));
    const own = { locale: found.locale, questions: drawn, extraTime };
    const id = await repository.insertAttempt(db, { ...place, ...assessment, ...own });
    await repository.emptyOldAttempts(db, place);
    return { attempt: await read(ctx, { ...place, id }, db), isNew: true };
  });
}

const isLeftOpen = (attempt: { submitted_at: Date | null; is_overdue: boolean }) =>
  attempt.submitted_at === null && attempt.is_overdue;

export async function readMyAttempt(
  ctx: Ctx,
  actor: UserViewer,
  { attemptId, ...slugs }: AttemptSlugs,
): Promise<Attempt> {
  return await read(ctx, { ...(await placeOf(ctx.db, actor, slugs)), id: attemptId });
}

/** Each save stores all answers of the attempt anew, which is much where open answers are long. */
const LONG_BYTES = 8 * 1024;
const LONG_ANSWERS: Limit = { max: 128 * 1024 * 1024, windowSeconds: 600 };

/** Stores an answer. Refused once the attempt has ended. */
export async function saveAnswer(
  ctx: Ctx,
  actor: UserViewer,
  { attemptId, number, ...slugs }: AttemptSlugs & { number: number },
  answer: StoredAnswer,
): Promise<void> {
  const row = await repository.getAttempt(ctx.db, { ...(await placeOf(ctx.db, actor, slugs)), id: attemptId });
  const question = row?.questions[number - 1];
  if (!row || !question) throw notFound();
  if (!canAnswer(question, answer)) throw new AppError('request.invalid');
  const bytes = Buffer.byteLength(JSON.stringify({ ...row.answers, [number]: answer }));
  if (bytes >= LONG_BYTES) await takeLimit(ctx, `save-answer:${actor.id}`, LONG_ANSWERS, bytes);
  const isStored = await repository.putAnswer(ctx.db, row, { number, answer: isEmpty(answer) ? null : answer });
  if (!isStored) throw new AppError('learner.attempt_ended');
}

/** Grades an attempt once. A pass completes the lesson in the same transaction. */
export async function submitAttempt(
  ctx: Ctx,
  actor: UserViewer,
  { attemptId, ...slugs }: AttemptSlugs,
): Promise<Attempt> {
  const place = await placeOf(ctx.db, actor, slugs);
  return await inTransaction(ctx.db, async (db) => {
    await repository.lockEnrolment(db, place);
    if (!(await end(db, { ...place, id: attemptId }))) throw notFound();
    return await read(ctx, { ...place, id: attemptId }, db);
  });
}

/** Ends an attempt unless it has ended. The caller holds the lock on the enrolment. False without such an attempt. */
async function end(db: Db, { id, ...place }: Place & { id: string }): Promise<boolean> {
  const row = await repository.getAttempt(db, { ...place, id }, { isLocked: true });
  if (!row) return false;
  if (row.submitted_at !== null) return true;
  const { score, passed } = grade(row) ?? { score: null, passed: null };
  await repository.endAttempt(db, { id, score, passed });
  if (passed === null) await notifyMarkers(db, place);
  // If the enrolment has ended, the pass is stored and completes the lesson once the person is enrolled again.
  if (passed) await completeLesson(db, { ...place, locale: row.locale });
  return true;
}

const AT_ONCE = 200;

/** Ends attempts whose time is up, with what was answered. */
export async function endOverdueAttempts(ctx: Ctx): Promise<void> {
  const overdue = await repository.findOverdue(ctx.db, AT_ONCE);
  for (const attempt of overdue)
    await inTransaction(ctx.db, async (db) => {
      await repository.lockEnrolment(db, attempt);
      await end(db, attempt);
    });
}
