import { type Db, NOW } from '#server/db/client.ts';

type Place = { userId: string; journeyKey: string };

/** Whether a journey has a lesson that a renewal asks for. */
export async function hasMandatoryLessons(db: Db, journeyKey: string): Promise<boolean> {
  const lesson = await db
    .selectFrom('lessons')
    .select('key')
    .where('journey_key', '=', journeyKey)
    .where('withdrawn_at', 'is', null)
    .where('mandatory', '=', true)
    .limit(1)
    .executeTakeFirst();
  return lesson !== undefined;
}

/** Opens a journey again: completions and ended attempts are kept and no longer count. */
export async function beginRenewal(db: Db, { userId, journeyKey }: Place): Promise<void> {
  await db
    .updateTable('journey_enrolments')
    .set({ renewal_begun_at: NOW, updated_at: NOW })
    .where('user_id', '=', userId)
    .where('journey_key', '=', journeyKey)
    .execute();
  await db
    .updateTable('lesson_completions')
    .set({ lapsed_at: NOW })
    .where('user_id', '=', userId)
    .where('lapsed_at', 'is', null)
    .where('lesson_key', 'in', (eb) => eb.selectFrom('lessons').select('key').where('journey_key', '=', journeyKey))
    .execute();
  await db
    .updateTable('assessment_attempts')
    .set({ lapsed_at: NOW })
    .where('user_id', '=', userId)
    .where('lapsed_at', 'is', null)
    .where('submitted_at', 'is not', null)
    .where('lesson_key', 'in', (eb) => eb.selectFrom('lessons').select('key').where('journey_key', '=', journeyKey))
    .execute();
}

/** Whether a learner completed a renewal for which no certificate was issued yet. */
export async function hasCompletedRenewal(db: Db, { userId, journeyKey }: Place): Promise<boolean> {
  const renewed = await db
    .selectFrom('journey_enrolments')
    .select('id')
    .where('user_id', '=', userId)
    .where('journey_key', '=', journeyKey)
    .where('renewal_completed_at', 'is not', null)
    .executeTakeFirst();
  return renewed !== undefined;
}

/** Ends a renewal whose certificate was issued. */
export async function endRenewal(db: Db, enrolmentId: string): Promise<void> {
  await db
    .updateTable('journey_enrolments')
    .set({ renewal_begun_at: null, renewal_completed_at: null, updated_at: NOW })
    .where('id', '=', enrolmentId)
    .execute();
}
