import { MAX_TYPED_ANSWER } from '@officium/contract/answers';
import { type Assessment, questionsPerAttempt } from '@officium/contract/assessment';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import { checkAnswer, isPlaced, type Verdict } from '#server/text/blocks/quiz-answer.ts';
import type { AttemptRow, StoredAnswer, StoredMark } from './attempt.rows.ts';

/** Returns a number from 0 up to, and not including, `below`. */
export type Random = (below: number) => number;

/** Draws the questions of an attempt and shuffles them, if the settings say so. Options of true-or-false keep their order. */
export function drawQuestions(
  questions: readonly AssessmentQuestion[],
  { shuffle, ...draws }: Pick<Assessment, 'draw' | 'drawTags' | 'shuffle'>,
  random: Random,
): AssessmentQuestion[] {
  const places = drawPlaces(questions, draws, random);
  const order = shuffle ? shuffled(places, random) : places.toSorted((one, other) => one - other);
  return order.flatMap((at) => {
    const question = questions[at];
    if (!question) return [];
    return shuffle && question.type !== 'true-false' ? withOptionsMoved(question, random) : question;
  });
}

/** Shuffles the options of a question, and changes its key with them. */
function withOptionsMoved(question: AssessmentQuestion, random: Random): AssessmentQuestion {
  const { options, places, type } = question;
  const order = shuffled([...options.keys()], random);
  const moved = { ...question, options: order.flatMap((at) => options[at] ?? []) };
  if (!places) return moved;
  const isMatching = type === 'matching';
  return {
    ...moved,
    places: isMatching ? places.map((option) => order.indexOf(option - 1) + 1) : order.map((at) => places[at] ?? 0),
  };
}

/** The places of the questions with a tag first, then of others up to their number. */
function drawPlaces(
  questions: readonly AssessmentQuestion[],
  draws: Pick<Assessment, 'draw' | 'drawTags'>,
  random: Random,
): number[] {
  const all = shuffled([...questions.keys()], random);
  const drawn = new Set<number>();
  for (const { tag, count } of draws.drawTags ?? []) {
    const tagged = all.filter((at) => !drawn.has(at) && questions[at]?.tags?.includes(tag));
    for (const at of tagged.slice(0, count)) drawn.add(at);
  }
  const others = all.filter((at) => !drawn.has(at));
  const left = questionsPerAttempt(draws, questions.length) - drawn.size;
  return [...drawn, ...others.slice(0, Math.max(0, left))];
}

/** Fisher–Yates. */
function shuffled<T>(items: readonly T[], random: Random): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random(left.length), 1));
}

/** True for an answer that the question can have: known options, only one if only one is right, places, or texts. */
export function canAnswer(
  question: AssessmentQuestion,
  { choice, text, places = [], gaps = [] }: StoredAnswer,
): boolean {
  const { type } = question;
  if (type !== 'open' && text.length > MAX_TYPED_ANSWER) return false;
  const isPlain = text === '' && choice.length === 0;
  if (type === 'gaps')
    return isPlain && places.length === 0 && (gaps.length === 0 || gaps.length === question.gaps?.length);
  if (gaps.length > 0) return false;
  if (type === 'matching' || type === 'ordering')
    return isPlain && (places.length === 0 || isPlaced(gradedOf(question), places));
  if (places.length > 0) return false;
  if (type === 'number' || type === 'text' || type === 'open') return choice.length === 0;
  const isKnown = choice.every((option) => option <= question.options.length);
  return text === '' && isKnown && (question.isMultiple || choice.length <= 1);
}

export function isEmpty({ choice, text, places = [], gaps = [] }: StoredAnswer): boolean {
  const isUntyped = [text, ...gaps].every((each) => each.trim() === '');
  return choice.length === 0 && isUntyped && !places.some(Boolean);
}

const gradedOf = (question: AssessmentQuestion) => ({
  ...question,
  places: question.places ?? [],
  gaps: question.gaps ?? [],
});

/** Undefined for a question without an answer, which counts as wrong. */
export function verdictOf(question: AssessmentQuestion, answer: StoredAnswer | undefined): Verdict | undefined {
  return answer && checkAnswer(gradedOf(question), question.key, { places: [], gaps: [], ...answer });
}

/** The numbers of the questions whose answers a person marks. */
export function markedByPeople({ questions, answers }: Pick<AttemptRow, 'questions' | 'answers'>): number[] {
  return questions.flatMap(({ type }, at) => (type === 'open' && answers[at + 1] ? [at + 1] : []));
}

/**
 * The score in whole percent, rounded down, so that it reaches the pass mark exactly when the attempt passes. Null while
 * an answer waits for a mark.
 */
export function grade({
  questions,
  answers,
  marks,
  pass_mark,
}: Pick<AttemptRow, 'questions' | 'answers' | 'marks' | 'pass_mark'>): { score: number; passed: boolean } | null {
  if (markedByPeople({ questions, answers }).some((number) => !marks[number])) return null;
  const earned = questions.reduce(
    (sum, question, at) => sum + (earnedIn(question, answers[at + 1], marks[at + 1]) ?? 0),
    0,
  );
  const points = questions.reduce((sum, question) => sum + pointsIn(question), 0);
  // Parts of points, such as three thirds, must not fall short of the whole.
  const score = points === 0 ? 0 : Math.floor((100 * earned) / points + 1e-9);
  return { score, passed: score >= pass_mark };
}

export function pointsIn({ points = 1 }: AssessmentQuestion): number {
  return points;
}

/**
 * The points for an answer: those of the question, by the share of it that is right, or those of its mark. Undefined
 * while an open answer has no mark.
 */
export function earnedIn(
  question: AssessmentQuestion,
  answer: StoredAnswer | undefined,
  mark: StoredMark | undefined,
): number | undefined {
  if (question.type === 'open') return answer ? mark?.points.reduce((sum, points) => sum + points, 0) : 0;
  const verdict = verdictOf(question, answer);
  return verdict ? (pointsIn(question) * verdict.right) / verdict.total : 0;
}

/** The most points that a mark can give: for each criterion, or once for the whole answer. */
export function mostPoints(question: AssessmentQuestion): number[] {
  return question.criteria?.map(({ points }) => points) ?? [pointsIn(question)];
}

/** True for a mark that the question can have. */
export function canMark(question: AssessmentQuestion, { points }: Pick<StoredMark, 'points'>): boolean {
  const most = mostPoints(question);
  return points.length === most.length && points.every((own, at) => own <= (most[at] ?? 0));
}
