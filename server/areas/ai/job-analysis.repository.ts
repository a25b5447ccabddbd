import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { AskedJob } from './thread.repository.ts';

export type JobRow = { id: string; job: AskedJob; updated_at: Date };

/** A page of the jobs a person asked about, those last asked first. */
export async function findJobs(db: Db, page: { userId: string; limit: number; offset: number }): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    select t.id, t.job, t.updated_at from ai_threads t
    where t.user_id = ${page.userId} and t.job is not null
    order by t.updated_at desc, t.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows;
}

export async function countJobs(db: Db, userId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from ai_threads t where t.user_id = ${userId} and t.job is not null`.execute(db);
  return rows[0]?.total ?? 0;
}

/** What this person last asked about a job; undefined for anybody else's. */
export async function getJob(db: Db, { id, userId }: { id: string; userId: string }): Promise<JobRow | undefined> {
  const { rows } = await sql<JobRow>`
    select t.id, t.job, t.updated_at from ai_threads t
    where t.id = ${id} and t.user_id = ${userId} and t.job is not null`.execute(db);
  return rows[0];
}
