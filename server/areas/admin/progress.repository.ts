import type { LocalizedText } from '@officium/contract/common';
import type { PROGRESS_STATES } from '@officium/contract/cohorts';
import { type RawBuilder, sql } from 'kysely';
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

/** The published journeys a cohort has as products, and those of the courses it has; of two days they are due the sooner. */
export async function findJourneys(db: Db, cohortId: string, journeyId?: string): Promise<JourneyProgressRow[]> {
  const isAsked = journeyId === undefined ? sql`true` : sql`j.key = ${journeyId}`;
  const { rows } = await sql<JourneyProgressRow>`
    select * from (${JOURNEYS} where p.cohort_id = ${cohortId} and ${isAsked} order by j.key, p.due_on nulls last) j
    order by position, nth, key`.execute(db);
  return rows;
}

export type JourneyCounts = { started: number; finished: number };

/** Members who are under way, and who are done; both from indexes only, in the order both have. */
export async function countJourney(db: Db, cohortId: string, journeyKey: string): Promise<JourneyCounts> {
  const { rows } = await sql<JourneyCounts>`
    select (count(*) filter (where e.completed_at is null and e.started_at is not null))::int as started,
      (count(*) filter (where e.completed_at is not null))::int as finished
    from cohort_members m join journey_enrolments e on e.user_id = m.user_id and e.journey_key = ${journeyKey}
    where m.cohort_id = ${cohortId}`.execute(db);
  return rows[0]!; // an aggregate has one row
}

export type LearnerRow = {
  id: string;
  name: string;
  email: string;
  started_at: Date | null;
  completed_at: Date | null;
};

const OPEN = sql`e.completed_at is null`;
const STATES: Record<ProgressState, RawBuilder<unknown>> = {
  'not-started': sql`${OPEN} and e.started_at is null`,
  started: sql`${OPEN} and e.started_at is not null`,
  finished: sql`e.completed_at is not null`,
  late: OPEN,
};

/** Members by their ids. Whoever has begun has a place, so that those are looked for among the places. */
export async function findLearners(
  db: Db,
  asked: {
    cohortId: string;
    journeyKey: string;
    state: ProgressState | undefined;
    after: string | undefined;
    limit: number;
  },
): Promise<LearnerRow[]> {
  const { state } = asked;
  const join = state === 'started' || state === 'finished' ? sql`join` : sql`left join`;
  const { rows } = await sql<LearnerRow>`
    select u.id, u.name, coalesce(u.email, '') as email, e.started_at, e.completed_at
    from cohort_members m
    ${join} journey_enrolments e on e.user_id = m.user_id and e.journey_key = ${asked.journeyKey}
    join users u on u.id = m.user_id
    where m.cohort_id = ${asked.cohortId} and ${state === undefined ? sql`true` : STATES[state]}
      and ${asked.after === undefined ? sql`true` : sql`m.user_id > ${asked.after}::uuid`}
    order by m.user_id limit ${asked.limit}`.execute(db);
  return rows;
}
