import { type Db } from '#server/db/client.ts';
import { sql } from 'kysely';

export type ExtraTimeRow = { id: string; name: string; percent: number };

const MAX_LISTED = 500;

export async function findExtraTime(db: Db, courseId: string): Promise<ExtraTimeRow[]> {
  return await db
    .selectFrom('journey_enrolments as e')
    .innerJoin('journeys as j', 'j.key', 'e.journey_key')
    .innerJoin('users as u', 'u.id', 'e.user_id')
    .select(({ fn }) => ['u.id', 'u.name', fn.max('e.extra_time').as('percent')])
    .where('j.course_id', '=', courseId)
    .where('e.extra_time', 'is not', null)
    .groupBy(['u.id', 'u.name'])
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(MAX_LISTED)
    .$castTo<ExtraTimeRow>()
    .execute();
}

/** Returns the id of a person, given by id or e-mail address, with a place in the course. */
export async function findLearner(
  db: Db,
  { courseId, person }: { courseId: string; person: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('users as u')
    .innerJoin('journey_enrolments as e', 'e.user_id', 'u.id')
    .innerJoin('journeys as j', 'j.key', 'e.journey_key')
    .select('u.id')
    .where('j.course_id', '=', courseId)
    .where(person.includes('@') ? 'u.email' : 'u.id', '=', person)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

type Change = { courseId: string; userId: string; percent: number };

/** Changes the places of a person in a course. They are locked before any attempt, as by attempts themselves. */
export async function updatePlaces(db: Db, { courseId, userId, percent }: Change): Promise<void> {
  await db
    .updateTable('journey_enrolments')
    .set({ extra_time: percent === 0 ? null : percent })
    .where('user_id', '=', userId)
    .where('journey_key', 'in', (eb) => eb.selectFrom('journeys').select('key').where('course_id', '=', courseId))
    .execute();
}

/** Moves the deadlines of attempts under way, by the time limit that their lesson has now. */
export async function updateDeadlines(db: Db, { courseId, userId, percent }: Change): Promise<void> {
  await db
    .updateTable('assessment_attempts as a')
    .from('lessons as l')
    .innerJoin('journeys as j', 'j.key', 'l.journey_key')
    .set({
      due_at: sql<Date>`a.started_at + (l.assessment ->> 'minutes')::integer * ${100 + percent}::integer * interval '0.6 seconds'`,
    })
    .whereRef('l.key', '=', 'a.lesson_key')
    .where('j.course_id', '=', courseId)
    .where('a.user_id', '=', userId)
    .where('a.submitted_at', 'is', null)
    .where('a.due_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`l.assessment ->> 'minutes' is not null`)
    .execute();
}
