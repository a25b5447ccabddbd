import { randomInt } from 'node:crypto';
import type { Evaluation } from '@officium/contract/evaluation';
import type { EvaluationState } from '@officium/contract/evaluations';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Db } from '#server/db/client.ts';
import type { Batch } from './evaluation.rows.ts';

type State = z.output<typeof EvaluationState>;
type Place = { userId: string; journeyKey: string };

/** SQL for the state of the evaluation of journey `j` for enrolment `e`; null unless it is offered. */
export function evaluationState(): RawBuilder<State | null> {
  return sql<State | null>`case when e.completed_at is not null and j.evaluation <> '[]' then coalesce((
    select outcome from evaluation_people o where o.user_id = e.user_id and o.journey_key = e.journey_key), 'open') end`;
}

export async function getEvaluation(
  db: Db,
  { userId, journeyKey }: Place,
): Promise<{ evaluation: Evaluation; outcome: Exclude<State, 'open'> | null }> {
  return await db
    .selectFrom('journeys as j')
    .leftJoin('evaluation_people as o', (join) =>
      join.onRef('o.journey_key', '=', 'j.key').on('o.user_id', '=', userId),
    )
    .select(['j.evaluation', 'o.outcome'])
    .where('j.key', '=', journeyKey)
    .$castTo<{ evaluation: Evaluation; outcome: Exclude<State, 'open'> | null }>()
    .executeTakeFirstOrThrow();
}

export async function insertSkipped(db: Db, { userId, journeyKey }: Place): Promise<void> {
  await db
    .insertInto('evaluation_people')
    .values({ user_id: userId, journey_key: journeyKey, outcome: 'skipped' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Notes that a person has answered; false if they had before, also concurrently. */
export async function insertAnswered(db: Db, { userId, journeyKey }: Place): Promise<boolean> {
  const row = await db
    .insertInto('evaluation_people')
    .values({ user_id: userId, journey_key: journeyKey, outcome: 'answered' })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'journey_key'])
        .doUpdateSet({ outcome: 'answered' })
        .where('evaluation_people.outcome', '=', 'skipped'),
    )
    .returning('outcome')
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks the answers to an evaluation and returns the waiting ones, sealed. */
export async function lockWaiting(db: Db, journeyKey: string): Promise<Buffer | null> {
  await db
    .insertInto('evaluations')
    .values({ journey_key: journeyKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { waiting } = await db
    .selectFrom('evaluations')
    .select('waiting')
    .where('journey_key', '=', journeyKey)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return waiting;
}

export async function putWaiting(db: Db, journeyKey: string, waiting: Buffer): Promise<void> {
  await db.updateTable('evaluations').set({ waiting }).where('journey_key', '=', journeyKey).execute();
}

/** Counts a whole batch, under the lock of `lockWaiting`. Texts are written in random order. */
export async function countBatch(db: Db, journeyKey: string, { people, questions }: Batch): Promise<void> {
  await db
    .updateTable('evaluations')
    .set(({ eb }) => ({ counted: eb('counted', '+', people), waiting: null }))
    .where('journey_key', '=', journeyKey)
    .execute();
  const counted = Object.values(questions);
  if (counted.length === 0) return;
  const of = ({ question, shape }: (typeof counted)[number]) => ({
    journey_key: journeyKey,
    question_id: question.id,
    shape,
  });
  await db
    .insertInto('evaluation_counts')
    .values(
      counted.map((each) => ({
        ...of(each),
        question: JSON.stringify(each.question),
        answers: each.answers,
        counts: JSON.stringify(each.counts),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['journey_key', 'question_id', 'shape']).doUpdateSet(({ eb, ref }) => ({
        question: ref('excluded.question'),
        answers: eb('evaluation_counts.answers', '+', ref('excluded.answers')),
        counts: sql`(
          select coalesce(jsonb_object_agg(choice, coalesce((${ref('evaluation_counts.counts')} ->> choice)::integer, 0)
            + coalesce((${ref('excluded.counts')} ->> choice)::integer, 0)), '{}')
          from jsonb_object_keys(${ref('evaluation_counts.counts')} || ${ref('excluded.counts')}) choice)`,
      })),
    )
    .execute();
  const texts = counted.flatMap((each) => each.texts.map((body) => ({ ...of(each), body })));
  const left = [...texts];
  const inRandomOrder = texts.flatMap(() => left.splice(randomInt(left.length), 1));
  if (inRandomOrder.length > 0) await db.insertInto('evaluation_texts').values(inRandomOrder).execute();
}
