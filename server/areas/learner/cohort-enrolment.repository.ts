// Raw SQL: a lateral join that takes the first published journey of each product.
import { sql } from 'kysely';
import { IS_PUBLISHED_JOURNEY } from '#server/areas/catalogue/journey.sql.ts';
import type { Db } from '#server/db/client.ts';

export type Assigned = { cohortId: string; entryIds: string[]; userIds: string[] };

/**
 * The first published journey of each of these products of a cohort, for each of these members who is not enrolled in it.
 * In the order of the enrolments' unique index, so that concurrent batches do not deadlock.
 */
const openAssignments = ({ cohortId, entryIds, userIds }: Assigned) => sql`
  select distinct m.user_id, first.key as journey_key
  from cohort_products p
  cross join lateral (
    select j.key from journeys j
    where (j.entry_id = p.entry_id or j.course_id = p.entry_id) and ${IS_PUBLISHED_JOURNEY}
    order by j.position, j.key limit 1) first
  join cohort_members m on m.cohort_id = p.cohort_id and m.user_id = any(${userIds}::uuid[])
  where p.cohort_id = ${cohortId} and p.entry_id = any(${entryIds}::text[])
    and not exists (select from journey_enrolments e where e.user_id = m.user_id and e.journey_key = first.key)
  order by m.user_id, first.key`;

export async function findOpenAssignments(
  db: Db,
  assigned: Assigned,
): Promise<{ userId: string; journeyKey: string }[]> {
  const { rows } = await sql<{ userId: string; journeyKey: string }>`
    select user_id as "userId", journey_key as "journeyKey" from (${openAssignments(assigned)}) open`.execute(db);
  return rows;
}

/**
 * Locks the memberships and products, so that a removal or a detachment waits and then ends these enrolments. Returns those
 * that are not gone.
 */
async function lockAssigned(db: Db, { cohortId, entryIds, userIds }: Assigned): Promise<Assigned> {
  const products = await db
    .selectFrom('cohort_products')
    .select('entry_id')
    .where('cohort_id', '=', cohortId)
    .where('entry_id', '=', ({ fn, val }) => fn.any(val(entryIds)))
    .orderBy('entry_id')
    .forKeyShare()
    .execute();
  const members = await db
    .selectFrom('cohort_members')
    .select('user_id')
    .where('cohort_id', '=', cohortId)
    .where('user_id', '=', ({ fn, val }) => fn.any(val(userIds)))
    .orderBy('user_id')
    .forKeyShare()
    .execute();
  return {
    cohortId,
    entryIds: products.map(({ entry_id }) => entry_id),
    userIds: members.map(({ user_id }) => user_id),
  };
}

/** Enrols members in their open assignments, as the cohort. An enrolment that exists stays as it is. */
export async function enrolAssigned(db: Db, given: Assigned): Promise<{ id: string; userId: string }[]> {
  const assigned = await lockAssigned(db, given);
  const { rows } = await sql<{ id: string; userId: string }>`
    insert into journey_enrolments (id, user_id, journey_key, cohort_id, locale)
    select new_id(), open.user_id, open.journey_key, ${assigned.cohortId}, u.locale
    from (${openAssignments(assigned)}) open
    join users u on u.id = open.user_id and u.erased_at is null and u.role <> 'inactive'
    order by open.user_id, open.journey_key
    on conflict (user_id, journey_key) do nothing
    returning id, user_id as "userId"`.execute(db);
  return rows;
}
