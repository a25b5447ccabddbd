import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import type { markAttempt, readMarking } from '@officium/contract/marking';
import { textOf } from '../../form/fields.ts';

type Marking = ReplyOf<typeof readMarking>;
export type MarkedQuestion = Marking['questions'][number];
type Marks = InputOf<typeof markAttempt>['body']['marks'];

export const markingPath = (id: string) => `/admin/marking/${id}`;

export function listAddress({
  state,
  course,
  page = 1,
}: {
  state: string;
  course?: string | undefined;
  page?: number;
}) {
  const query = new URLSearchParams({
    ...(state === 'waiting' ? {} : { state }),
    ...(course ? { course } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
  }).toString();
  return `/admin/marking${query ? `?${query}` : ''}`;
}

/** Names of a question's fields in the form of its marks. */
export const pointsName = (number: number, at: number) => `points${number}-${at}`;
export const commentName = (number: number) => `comment${number}`;

/** The most points of each field of a question: one for each criterion, or one for the whole answer. */
export const mostOf = ({ criteria, points }: Pick<MarkedQuestion, 'criteria' | 'points'>): number[] =>
  criteria.length === 0 ? [points] : criteria.map((criterion) => criterion.points);

/** Decimal commas and Arabic digits are numbers, too. */
function plainNumber(text: string): string {
  return text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x0660)).replace(/[,٫]/, '.');
}

const WRONG = 'Points must be whole or half numbers up to the most';

/** The marks in a submitted form, and what is wrong with them. A question without points and comment stays unmarked. */
export function marksIn(
  fields: FormData,
  questions: readonly MarkedQuestion[],
): { marks: Marks; issues: { path: string; message: string }[] } {
  const issues: { path: string; message: string }[] = [];
  const marks = questions.flatMap((question) => {
    const { number } = question;
    const comment = textOf(fields, commentName(number));
    const written = mostOf(question).map((most, at) => ({
      most,
      at,
      text: textOf(fields, pointsName(number, at)).trim(),
    }));
    if (comment.trim() === '' && written.every(({ text }) => text === '')) return [];
    const points = written.map(({ most, at, text }) => {
      const value = text === '' ? NaN : Number(plainNumber(text));
      const isGood = value >= 0 && value <= most && Number.isInteger(value * 2);
      if (!isGood) issues.push({ path: pointsName(number, at), message: WRONG });
      return value;
    });
    return [{ number, points, comment }];
  });
  const [first] = questions;
  if (marks.length === 0 && first) issues.push({ path: pointsName(first.number, 0), message: WRONG });
  return { marks, issues };
}
