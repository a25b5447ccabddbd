// Raw SQL: it picks one row per journey from a lateral union.
import type { LocalizedText } from '@officium/contract/common';
import type { PROGRESS_STATES } from '@officium/contract/cohorts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import type { Db } from '#server/db/client.ts';

export type ProgressState = (typeof PROGRESS_STATES)[number];

export type JourneyProgressRow = {
  key: string;
  entry_id: string;
  title: LocalizedText;
  course_title: LocalizedText;
  due_on: string | null;
  is_over: boolean;
};

const JOURNEYS = sql`
  select distinct on (j.key) j.key, p.entry_id, p.position, j.position as nth, j.title, c.title as course_title,
    p.due_on::text, coalesce(p.due_on < (now() at time zone 'UTC')::date, false) as is_over
  from cohort_products p
  join lateral (
    select * from journeys where entry_id = p.entry_id union all select * from journeys where course_id = p.entry_id) j
    on ${IS_PUBLISHED_JOURNEY}
  join courses c on c.id = j.course_id`;

/** Published journeys among a cohort's products, directly or through a course. The earlier of two due dates applies. */
export async function findJourneys(db: Db, cohortId: string, journeyId?: string): Promise<JourneyProgressRow[]> {
  const isWanted = journeyId === undefined ? sql`true` : sql`j.key = ${journeyId}`;
  const { rows } = await sql<JourneyProgressRow>`
    select * from (${JOURNEYS} where p.cohort_id = ${cohortId} and ${isWanted} order by j.key, p.due_on nulls last) j
    order by position, nth, key`.execute(db);
  return rows;
}

export type JourneyCounts = { started: number; finished: number };

/** Numbers of members who started and who finished. Both tables are read index-only in the same order. */
export async function countJourney(db: Db, cohortId: string, journeyKey: string): Promise<JourneyCounts> {
  return await db
    .selectFrom('cohort_members as m')
    .innerJoin('journey_enrolments as e', (join) =>
      join.onRef('e.user_id', '=', 'm.user_id').on('e.journey_key', '=', journeyKey),
    )
    .select((eb) => {
      const [started, completed] = [eb.ref('e.started_at'), eb.ref('e.completed_at')];
      return [
        sql<number>`(count(*) filter (where ${completed} is null and ${started} is not null))::int`.as('started'),
        sql<number>`(count(*) filter (where ${completed} is not null))::int`.as('finished'),
      ];
    })
    .where('m.cohort_id', '=', cohortId)
    .executeTakeFirstOrThrow();
}

export type LearnerRow = {
  id: string;
  name: string;
  email: string;
  organization: string | null;
  started_at: Date | null;
  completed_at: Date | null;
  reminded_at: Date | null;
};

/** Condition that a member with the enrolment `e`, or none, is in a state. Whoever has not finished may be late. */
export function isInState(state: ProgressState | undefined): RawBuilder<SqlBool> {
  if (state === undefined) return sql`true`;
  if (state === 'finished') return sql`e.completed_at is not null`;
  if (state === 'late') return sql`e.completed_at is null`;
  return sql`e.completed_at is null and e.started_at is ${sql.raw(state === 'started' ? 'not null' : 'null')}`;
}

/** Members by id. PostgreSQL turns the left join into an inner one for the states that require an enrolment. */
export async function findLearners(
  db: Db,
  query: {
    cohortId: string;
    journeyKey: string;
    state: ProgressState | undefined;
    organization: string | undefined;
    after: string | undefined;
    limit: number;
  },
): Promise<LearnerRow[]> {
  const { cohortId, journeyKey, state, organization, after, limit } = query;
  let learners = db
    .selectFrom('cohort_members as m')
    .leftJoin('journey_enrolments as e', (join) =>
      join.onRef('e.user_id', '=', 'm.user_id').on('e.journey_key', '=', journeyKey),
    )
    .leftJoin('learner_reminders as l', (join) =>
      join.onRef('l.user_id', '=', 'm.user_id').on('l.journey_key', '=', journeyKey),
    )
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.cohort_id', '=', cohortId);
  if (state !== undefined) learners = learners.where(isInState(state));
  if (organization !== undefined)
    learners = learners.where((eb) => sql<boolean>`lower(${eb.ref('u.organization')}) = lower(${organization})`);
  if (after !== undefined) learners = learners.where('m.user_id', '>', after);
  return await learners
    .select((eb) => [
      'u.id',
      'u.name',
      sql<string>`coalesce(${eb.ref('u.email')}, '')`.as('email'),
      sql<string | null>`nullif(${eb.ref('u.organization')}, '')`.as('organization'),
      'e.started_at',
      'e.completed_at',
      'l.sent_at as reminded_at',
    ])
    .orderBy('m.user_id')
    .limit(limit)
    .execute();
}
