import type { readAttempt } from '@officium/contract/assessments';
import type { ReplyOf } from '@officium/contract/endpoint';
import { lessonPath } from './learner.ts';

export type Attempt = ReplyOf<typeof readAttempt>;
export type AttemptQuestion = Attempt['questions'][number];
/** The result of saving one answer. `isOffline`: the network was missing, so it is tried again. */
export type SaveResult = { saved: number } | { problem: string } | { isOffline: true };

export const attemptPath = (course: string, journey: string, lesson: string, id: string) =>
  `${lessonPath(course, journey, lesson)}/attempts/${id}`;

/** Names of a question's fields in the form of its attempt. */
export const choiceName = (number: number) => `q${number}`;
export const textName = (number: number) => `t${number}`;
export const placeName = (number: number) => `p${number}`;
export const gapName = (number: number) => `g${number}`;
export const isPlaced = ({ type }: Pick<AttemptQuestion, 'type'>) => type === 'matching' || type === 'ordering';

/** The answer to a question in a submitted form. */
export function answerIn(
  fields: FormData,
  number: number,
): { choice: number[]; text: string; places: number[]; gaps: string[] } {
  return {
    choice: fields.getAll(choiceName(number)).map(Number),
    text: String(fields.get(textName(number)) ?? ''),
    places: fields.getAll(placeName(number)).map(Number),
    gaps: fields.getAll(gapName(number)).map(String),
  };
}
