import { type SqlBool, sql } from 'kysely';
import { newId, NOW, type Db } from '#server/db/client.ts';
import type { REMINDED_STATES } from '@officium/contract/cohort-reminders';
import { isInState } from './progress.repository.ts';

/** Members of a cohort who have not completed a journey. `userIds` null: all of them. */
export type Reminded = {
  cohortId: string;
  journeyKey: string;
  state: (typeof REMINDED_STATES)[number] | undefined;
  userIds: string[] | null;
};

/** A current enrolment or none: an ended one cannot be completed. */
const IS_OPEN = sql<SqlBool>`(e.id is null or enrolment_status(e.status, e.expires_on) = 'enrolled')`;

function reminded(db: Db, { cohortId, journeyKey, state, userIds }: Reminded) {
  const members = db
    .selectFrom('cohort_members as m')
    .leftJoin('journey_enrolments as e', (join) =>
      join.onRef('e.user_id', '=', 'm.user_id').on('e.journey_key', '=', journeyKey),
    )
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.cohort_id', '=', cohortId)
    .where('e.completed_at', 'is', null)
    .where(IS_OPEN)
    .where('u.role', '<>', 'inactive')
    .where(isInState(state));
  return userIds === null ? members : members.where('m.user_id', '=', (eb) => eb.fn.any(eb.val(userIds)));
}

/** Condition that a person was reminded of the journey so lately that they are not reminded again. */
const isRecent = (sentAt: string, hours: number) =>
  sql<SqlBool>`${sql.ref(sentAt)} > now() - make_interval(hours => ${hours})`;

export async function countReminded(
  db: Db,
  whom: Reminded,
  hoursBetween: number,
): Promise<{ people: number; skipped: number }> {
  return await reminded(db, whom)
    .leftJoin('learner_reminders as l', (join) =>
      join.onRef('l.user_id', '=', 'm.user_id').on('l.journey_key', '=', whom.journeyKey),
    )
    .select([
      sql<number>`(count(*) filter (where ${isRecent('l.sent_at', hoursBetween)} is not true))::int`.as('people'),
      sql<number>`(count(*) filter (where ${isRecent('l.sent_at', hoursBetween)}))::int`.as('skipped'),
    ])
    .executeTakeFirstOrThrow();
}

/** The next people to remind, in the order of their ids. */
export async function findReminded(
  db: Db,
  whom: Reminded,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const next = reminded(db, whom).select('m.user_id');
  const rows = await (after === null ? next : next.where('m.user_id', '>', after))
    .orderBy('m.user_id')
    .limit(limit)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export async function insertReminder(
  db: Db,
  { cohortId, journeyKey, words }: { cohortId: string; journeyKey: string; words: string },
): Promise<string> {
  const id = newId();
  await db.insertInto('cohort_reminders').values({ id, cohort_id: cohortId, journey_key: journeyKey, words }).execute();
  return id;
}

/** False when the reminder is gone with its cohort or journey. */
export async function hasReminder(db: Db, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('cohort_reminders')
    .select('id')
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes who is reminded now. Returns those who were not reminded lately. */
export async function claimReminders(
  db: Db,
  { reminderId, journeyKey, userIds }: { reminderId: string; journeyKey: string; userIds: string[] },
  hoursBetween: number,
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const rows = await db
    .insertInto('learner_reminders')
    .columns(['user_id', 'journey_key', 'reminder_id'])
    .expression((eb) =>
      eb
        .selectFrom('users as u')
        .select([
          'u.id',
          sql<string>`${journeyKey}::uuid`.as('journey_key'),
          sql<string>`${reminderId}::uuid`.as('reminder_id'),
        ])
        .where('u.id', '=', eb.fn.any(eb.val(userIds)))
        .where('u.erased_at', 'is', null)
        .orderBy('u.id'),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'journey_key'])
        .doUpdateSet((eb) => ({ reminder_id: eb.ref('excluded.reminder_id'), sent_at: NOW }))
        .where((eb) => eb.not(isRecent('learner_reminders.sent_at', hoursBetween))),
    )
    .returning('user_id')
    .execute();
  return rows.map(({ user_id }) => user_id);
}
