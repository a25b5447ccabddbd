import type { InputOf } from '@officium/contract/endpoint';
import type { checkAnswer as Check } from '@officium/contract/answers';
import type { Locale } from '@officium/contract/common';
import type { Viewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { AppError, notFound } from '#server/errors.ts';
import { textLabels } from '#server/text/labels.ts';
import { checkQuiz, type CheckedAnswer, findQuiz } from '#server/text/quiz-check.ts';
import { getLessonSource } from './answer.repository.ts';
import { readLesson } from './course.service.ts';

type Given = { params: InputOf<typeof Check>['params']; body: InputOf<typeof Check>['body']; locale: Locale };

/** Checks an answer for a viewer who may read the lesson. Stores nothing. */
export async function checkAnswer(ctx: Ctx, viewer: Viewer, { params, body, locale }: Given): Promise<CheckedAnswer> {
  const { page, lessonKey } = await readLesson(ctx, viewer, { ...params, locale });
  const shown = page.shown_locale;
  const source = shown && (await getLessonSource(ctx.db, { lessonKey, locale: shown }));
  const quiz = shown && source ? findQuiz(source, body.quiz) : undefined;
  if (!shown || !quiz) throw notFound();
  if (body.revision !== undefined && body.revision !== quiz.revision) throw new AppError('learner.question_changed');
  const checked = checkQuiz(quiz, body, textLabels(shown));
  if (!checked) throw new AppError('learner.answer_missing');
  return checked;
}
