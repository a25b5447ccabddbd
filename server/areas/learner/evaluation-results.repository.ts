import type { Evaluation, EvaluationQuestion } from '@officium/contract/evaluation';
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

export type CountRow = {
  question_id: string;
  shape: string;
  question: EvaluationQuestion;
  answers: number;
  counts: Record<string, number>;
};
export type ResultsRow = { evaluation: Evaluation; asked: number; people: number };

/** The published evaluation of a journey with the number of people; undefined before its first publication. */
export async function getResults(db: Db, journeyKey: string): Promise<ResultsRow | undefined> {
  return await db
    .selectFrom('journeys as j')
    .leftJoin('evaluations as v', 'v.journey_key', 'j.key')
    .select((eb) => [
      'j.evaluation',
      sql<number>`coalesce(${eb.ref('v.counted')}, 0)`.as('people'),
      eb
        .selectFrom('journey_enrolments as e')
        .select(sql<number>`count(*)::integer`.as('count'))
        .whereRef('e.journey_key', '=', 'j.key')
        .where('e.completed_at', 'is not', null)
        .$asScalar()
        .$notNull()
        .as('asked'),
    ])
    .where('j.key', '=', journeyKey)
    .$castTo<ResultsRow>()
    .executeTakeFirst();
}

export async function findCounts(db: Db, journeyKey: string): Promise<CountRow[]> {
  return await db
    .selectFrom('evaluation_counts')
    .select(['question_id', 'shape', 'question', 'answers', 'counts'])
    .where('journey_key', '=', journeyKey)
    .orderBy('question_id')
    .orderBy('shape')
    .$castTo<CountRow>()
    .execute();
}

/** Texts by their random ids, so the order is random and a limit draws at random. */
export async function findTexts(
  db: Db,
  journeyKey: string,
  { question_id, shape }: Pick<CountRow, 'question_id' | 'shape'>,
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('evaluation_texts')
    .select('body')
    .where('journey_key', '=', journeyKey)
    .where('question_id', '=', question_id)
    .where('shape', '=', shape)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ body }) => body);
}
