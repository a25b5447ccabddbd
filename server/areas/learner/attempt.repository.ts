import type { Assessment } from '@officium/contract/assessment';
import type { Locale } from '@officium/contract/common';
import { type ExpressionBuilder, sql } from 'kysely';
import { type Db, newId, NOW } from '#server/db/client.ts';
import type { DB } from '#server/db/schema.ts';
import type { AssessmentQuestion } from '#server/text/assessment-questions.ts';
import type { AttemptRow, StoredAnswer } from './attempt.rows.ts';

/** Answers that were on their way at the deadline still count. */
const GRACE = sql<string>`interval '10 seconds'`;
const isOverdue = sql<boolean>`coalesce(due_at + ${GRACE} < clock_timestamp(), false)`;

const columns = (eb: ExpressionBuilder<DB, 'assessment_attempts'>) => [
  ...(['id', 'locale', 'pass_mark', 'review', 'questions', 'answers', 'marks'] as const),
  ...(['started_at', 'due_at'] as const),
  ...(['submitted_at', 'score', 'passed'] as const),
  sql<number | null>`greatest(0, ceil(extract(epoch from ${eb.ref('due_at')} - now())))::int`.as('seconds_left'),
  isOverdue.as('is_overdue'),
];

export type AttemptRef = { id: string; userId: string; lessonKey: string };

/**
 * Locks the enrolment, so that the attempts of one learner in a journey start and end one after the other. Lock it before
 * any attempt; completing a lesson locks it too. Returns the extra time, in percent.
 */
export async function lockEnrolment(
  db: Db,
  place: { userId: string; journeyKey: string },
): Promise<{ extraTime: number }> {
  const row = await db
    .selectFrom('journey_enrolments')
    .select('extra_time')
    .where('user_id', '=', place.userId)
    .where('journey_key', '=', place.journeyKey)
    .forUpdate()
    .executeTakeFirst();
  return { extraTime: row?.extra_time ?? 0 };
}

/** An assessment with its questions in the first available language of `chain`, those of the bank it draws from last. */
export async function getAssessment(
  db: Db,
  { lessonKey, chain }: { lessonKey: string; chain: readonly Locale[] },
): Promise<{ assessment: Assessment | null; locale: string; questions: AssessmentQuestion[] | null } | undefined> {
  return await db
    .selectFrom('lessons as l')
    .innerJoin('journeys as j', 'j.key', 'l.journey_key')
    .innerJoin('bodies as b', 'b.lesson_key', 'l.key')
    .leftJoin('course_questions as c', (join) =>
      join
        .onRef('c.course_id', '=', 'j.course_id')
        .onRef('c.locale', '=', 'b.locale')
        .on(sql<boolean>`(l.assessment ->> 'bank')::boolean`),
    )
    .select(['l.assessment', 'b.locale', sql`b.questions || coalesce(c.questions, '[]')`.as('questions')])
    .where('l.key', '=', lessonKey)
    .orderBy(sql`array_position(${chain}::text[], b.locale) nulls last`)
    .orderBy('b.locale')
    .limit(1)
    .$castTo<{ assessment: Assessment | null; locale: string; questions: AssessmentQuestion[] | null }>()
    .executeTakeFirst();
}

/** A learner's attempts that count: those from before a renewal do not. */
export async function findAttempts(
  db: Db,
  { userId, lessonKey }: { userId: string; lessonKey: string },
): Promise<{ id: string; submitted_at: Date | null; is_overdue: boolean; passed: boolean | null }[]> {
  return await db
    .selectFrom('assessment_attempts')
    .select(['id', 'submitted_at', isOverdue.as('is_overdue'), 'passed'])
    .where('user_id', '=', userId)
    .where('lesson_key', '=', lessonKey)
    .where('lapsed_at', 'is', null)
    .execute();
}

type NewAttempt = {
  userId: string;
  lessonKey: string;
  locale: string;
  questions: AssessmentQuestion[];
  extraTime: number;
} & Pick<Assessment, 'passMark' | 'review' | 'minutes'>;

export async function insertAttempt(db: Db, attempt: NewAttempt): Promise<string> {
  const id = newId();
  const { userId, lessonKey, locale, questions, passMark, review, minutes, extraTime } = attempt;
  const seconds = minutes === null ? null : minutes * 0.6 * (100 + extraTime);
  await db
    .insertInto('assessment_attempts')
    .values({
      id,
      user_id: userId,
      lesson_key: lessonKey,
      locale,
      questions: JSON.stringify(questions),
      pass_mark: passMark,
      review,
      due_at: seconds === null ? null : sql`now() + make_interval(secs => ${seconds})`,
    })
    .execute();
  return id;
}

/** The number of latest ended attempts that keep their questions and answers; the first one does too. */
export const FULL_ATTEMPTS = 20;

/** Deletes the questions, answers and marks of older attempts; their results stay. */
export async function emptyOldAttempts(
  db: Db,
  { userId, lessonKey }: { userId: string; lessonKey: string },
): Promise<void> {
  const own = (eb: ExpressionBuilder<DB, 'assessment_attempts'>) =>
    eb
      .selectFrom('assessment_attempts')
      .select('id')
      .where('user_id', '=', userId)
      .where('lesson_key', '=', lessonKey)
      .where('submitted_at', 'is not', null);
  await db
    .updateTable('assessment_attempts')
    .set({ questions: '[]', answers: '{}', marks: '{}' })
    .where('id', 'in', (eb) => own(eb).orderBy('id', 'desc').offset(FULL_ATTEMPTS))
    .where('id', 'not in', (eb) => own(eb).orderBy('id').limit(1))
    .where('questions', '<>', '[]')
    .execute();
}

export async function getAttempt(
  db: Db,
  { id, userId, lessonKey }: AttemptRef,
  { isLocked }: { isLocked: boolean } = { isLocked: false },
): Promise<AttemptRow | undefined> {
  return await db
    .selectFrom('assessment_attempts')
    .select(columns)
    .select((eb) =>
      eb
        .selectFrom('content_assets as f')
        .innerJoin('journeys as j', 'j.course_id', 'f.entry_id')
        .select(({ fn, ref }) =>
          fn.coalesce(fn.agg<string[]>('json_agg', [ref('f.key')]), sql<string[]>`'[]'::json`).as('keys'),
        )
        .innerJoin('lessons as l', 'l.journey_key', 'j.key')
        .whereRef('l.key', '=', 'assessment_attempts.lesson_key')
        .$asScalar()
        .as('asset_keys'),
    )
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('lesson_key', '=', lessonKey)
    .$if(isLocked, (query) => query.forUpdate())
    .$castTo<AttemptRow>()
    .executeTakeFirst();
}

/** Stores or, without an answer, deletes an answer. False once the attempt has ended, also if it ends concurrently. */
export async function putAnswer(
  db: Db,
  { id }: { id: string },
  { number, answer }: { number: number; answer: StoredAnswer | null },
): Promise<boolean> {
  const changed = await db
    .updateTable('assessment_attempts')
    .set(({ ref }) => ({
      answers:
        answer === null
          ? sql`${ref('answers')} - ${String(number)}::text`
          : sql`${ref('answers')} || jsonb_build_object(${String(number)}::text, ${JSON.stringify(answer)}::jsonb)`,
    }))
    .where('id', '=', id)
    .where('submitted_at', 'is', null)
    .where(isOverdue, '=', false)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** Ends an attempt, at its deadline if that has passed. Without a result while answers wait for marks. */
export async function endAttempt(
  db: Db,
  { id, score, passed }: { id: string; score: number | null; passed: boolean | null },
): Promise<void> {
  await db
    .updateTable('assessment_attempts')
    .set({ score, passed, submitted_at: sql<Date>`least(${NOW}, due_at)` })
    .where('id', '=', id)
    .where('submitted_at', 'is', null)
    .execute();
}

export type OverdueAttempt = AttemptRef & { journeyKey: string };

export async function findOverdue(db: Db, limit: number): Promise<OverdueAttempt[]> {
  return await db
    .selectFrom('assessment_attempts as a')
    .innerJoin('lessons as l', 'l.key', 'a.lesson_key')
    .select(['a.id', 'a.user_id as userId', 'a.lesson_key as lessonKey', 'l.journey_key as journeyKey'])
    .where('a.submitted_at', 'is', null)
    .where(sql<boolean>`a.due_at < now() - ${GRACE}`)
    .orderBy('a.due_at')
    .limit(limit)
    .execute();
}
