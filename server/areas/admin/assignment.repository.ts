// Raw SQL: rows taken with `skip locked`.
import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';

/** Members of a cohort in the order of their ids. */
export async function findMemberIds(
  db: Db,
  { cohortId, after, limit }: { cohortId: string; after: string | null; limit: number },
): Promise<string[]> {
  let members = db.selectFrom('cohort_members').select('user_id').where('cohort_id', '=', cohortId);
  if (after !== null) members = members.where('user_id', '>', after);
  const rows = await members.orderBy('user_id').limit(limit).execute();
  return rows.map(({ user_id }) => user_id);
}

/** Takes new members of cohorts that enrol at once and are not archived. Concurrent jobs take different ones. */
export async function takeJoiners(db: Db, limit: number): Promise<{ cohortId: string; userId: string }[]> {
  const { rows } = await sql<{ cohortId: string; userId: string }>`
    delete from cohort_joiners j using (
      select w.cohort_id, w.user_id from cohort_joiners w
      where not exists (select from cohorts c where c.id = w.cohort_id and c.archived_at is not null)
      order by w.cohort_id, w.user_id limit ${limit} for update skip locked) taken
    where j.cohort_id = taken.cohort_id and j.user_id = taken.user_id
    returning j.cohort_id as "cohortId", j.user_id as "userId"`.execute(db);
  return rows;
}
