import { sql } from 'kysely';
import type { Db } from '#server/db/client.ts';
import type { JobQuestion } from './thread.repository.ts';

export type JobRow = { id: string; job: JobQuestion; updated_at: Date };

function jobsOf(db: Db, userId: string) {
  return db.selectFrom('ai_threads as t').where('t.user_id', '=', userId).where('t.job', 'is not', null);
}

const COLUMNS = ['t.id', 't.job', 't.updated_at'] as const;

/** Jobs a user asked about, latest first. */
export async function findJobs(db: Db, page: { userId: string; limit: number; offset: number }): Promise<JobRow[]> {
  return await jobsOf(db, page.userId)
    .select(COLUMNS)
    .$narrowType<{ job: JobQuestion }>()
    .orderBy('t.updated_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export async function countJobs(db: Db, userId: string): Promise<number> {
  const { total } = await jobsOf(db, userId)
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** The user's last question about a job. Undefined for another user's. */
export async function getJob(db: Db, { id, userId }: { id: string; userId: string }): Promise<JobRow | undefined> {
  return await jobsOf(db, userId)
    .select(COLUMNS)
    .$narrowType<{ job: JobQuestion }>()
    .where('t.id', '=', id)
    .executeTakeFirst();
}
