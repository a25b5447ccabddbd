import { newId } from '#server/db/client.ts';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import type { TestApp } from '../app.ts';

/** A question that a person marks by two criteria. */
const OPEN_QUESTION: AssessmentQuestion = {
  quiz: 'open',
  type: 'open',
  isMultiple: false,
  questionHtml: 'Why so?',
  moreHtml: '',
  options: [],
  criteria: [
    { html: 'Names a reason', points: 2 },
    { html: 'Gives an example', points: 1 },
  ],
  points: 3,
  feedbackHtml: '<p>Because it helps.</p>',
  key: {},
};

/** Returns the id of a person's ended attempt with an open answer that nobody has marked. */
export async function makeWaitingAttempt(
  { ctx: { db } }: TestApp,
  person: { id: string },
  lesson: { key: string },
  answer = 'Because.',
): Promise<string> {
  const id = newId();
  await db
    .insertInto('assessment_attempts')
    .values({
      id,
      user_id: person.id,
      lesson_key: lesson.key,
      locale: 'en',
      pass_mark: 60,
      review: 'answers',
      questions: JSON.stringify([OPEN_QUESTION]),
      answers: JSON.stringify({ 1: { choice: [], text: answer } }),
      submitted_at: new Date(),
    })
    .execute();
  return id;
}
