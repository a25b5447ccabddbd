import type { Locale } from '@officium/contract/common';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import {
  type listMarking as List,
  type markAttempt as Mark,
  MAX_COUNTED_ATTEMPTS,
  type readMarking as Read,
} from '@officium/contract/marking';
import { isShutOutOfCourse, openCourseSlugs } from '#server/access/can.ts';
import { placesWith, requireMay } from '#server/access/roles.ts';
import { withCurrentRoles } from '#server/access/sessions.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { recordAction } from '#server/audit/audit.ts';
import { signMedia } from '#server/areas/catalogue/media-access.policy.ts';
import type { Ctx } from '#server/ctx.ts';
import { type Db, inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { notify } from '#server/notify/notify.ts';
import { pickText } from '#server/text/localised.ts';
import { canMark, grade, markedByPeople } from './attempt.policy.ts';
import { lockEnrolment } from './attempt.repository.ts';
import type { StoredMarks } from './attempt.rows.ts';
import { completeLesson } from './completion.repository.ts';
import * as repository from './marking.repository.ts';
import type { MarkingRow } from './marking.rows.ts';
import { toMarkedAttempt, toMarking } from './marking.view.ts';

/** The attempts that wait for the viewer, or those that were marked. */
export async function listMarking(
  ctx: Ctx,
  viewer: UserViewer,
  { state, course, limit, offset }: InputOf<typeof List>['query'],
  locale: Locale,
): Promise<ReplyOf<typeof List>> {
  const places = {
    markerId: viewer.id,
    courses: placesWith(viewer, 'mark-answers')?.courses ?? null,
    open: openCourseSlugs(viewer),
  };
  const [rows, { counted, courses }] = await Promise.all([
    repository.findMarking(ctx.db, places, { state, course, limit, offset }),
    repository.countMarking(ctx.db, places, { state, course, atMost: MAX_COUNTED_ATTEMPTS }),
  ]);
  return {
    attempts: rows.map((row) => toMarkedAttempt(row, locale)),
    counted,
    courses: courses.map(({ id, title, waiting }) => ({ id, title: pickText(title, locale).text, waiting })),
  };
}

/** Opens an attempt for a marker. Throws 404 for other people, and 403 for the learner. */
async function open(db: Db, viewer: UserViewer, id: string, options?: { isLocked: boolean }): Promise<MarkingRow> {
  const row = await repository.getMarking(db, id, options);
  if (!row || markedByPeople(row).length === 0 || isShutOutOfCourse(viewer, row.course_slug)) throw notFound();
  requireMay(viewer, 'mark-answers', { kind: 'course', id: row.course_id });
  if (row.learner_id === viewer.id) throw new AppError('auth.forbidden');
  return row;
}

function view(ctx: Ctx, row: MarkingRow, locale: Locale): ReplyOf<typeof Read> {
  const { asset_keys: keys } = row;
  return toMarking(row, { locale, sign: (html) => signMedia(ctx.seal.hash, { html, keys }, ctx.clock.now()) });
}

export async function readMarking(
  ctx: Ctx,
  viewer: UserViewer,
  id: string,
  locale: Locale,
): Promise<ReplyOf<typeof Read>> {
  return view(ctx, await open(ctx.db, viewer, id), locale);
}

/**
 * Stores marks. The last one decides about the attempt and completes the lesson in the same transaction, which locks as
 * the learner's own operations do: the enrolment first.
 */
export async function markAttempt(
  ctx: Ctx,
  actor: UserViewer,
  { id, locale, version, marks }: { id: string; locale: Locale } & Omit<InputOf<typeof Mark>['body'], 'locale'>,
): Promise<ReplyOf<typeof Read>> {
  return await inTransaction(ctx.db, async (db) => {
    const marker = await withCurrentRoles(db, actor);
    const { learner_id: userId, journey_key: journeyKey } = await open(db, marker, id);
    await lockEnrolment(db, { userId, journeyKey });
    const row = await open(db, marker, id, { isLocked: true });
    if (row.mark_version !== version) throw new AppError('learner.marked_meanwhile');
    const all = withMarks(row, marks);
    const { score, passed } = grade({ ...row, marks: all }) ?? { score: null, passed: null };
    if (row.passed === true && passed !== true) throw new AppError('learner.pass_stands');
    await repository.updateMarks(db, { id, marks: all, score, passed });
    const { lesson_key: lessonKey } = row;
    if (passed === true) await completeLesson(db, { userId, journeyKey, lessonKey, locale: row.locale });
    if (passed !== null) await notify(db, [{ userId, event: 'attempt_marked', objectId: id }]);
    await recordAction(db, marker, {
      action: row.passed === null ? 'content.mark-attempt' : 'content.change-mark',
      object: userId,
      detail: { courseId: row.course_id },
    });
    return view(ctx, { ...row, marks: all, score, passed, mark_version: version + 1 }, locale);
  });
}

/** The marks of an attempt with new ones, which must fit their questions. */
function withMarks(row: MarkingRow, given: InputOf<typeof Mark>['body']['marks']): StoredMarks {
  const numbers = markedByPeople(row);
  const all: StoredMarks = { ...row.marks };
  for (const { number, points, comment } of given) {
    const question = row.questions[number - 1];
    if (!question || !numbers.includes(number) || !canMark(question, { points })) throw new AppError('request.invalid');
    all[number] = { points, comment: comment.trim() };
  }
  return all;
}
