// Raw SQL: the job store's tables have no generated types.
import { sql } from 'kysely';
import type { Db } from '../db/client.ts';

/** The queue of jobs that are not retried any more; operators decide what happens to them. */
export const DEAD_LETTERS = 'platform.dead-letters';

/** The product's own queues, without the dead letters and the job store's internal ones. Its tables have no generated types. */
const OURS = sql`name <> ${DEAD_LETTERS} and not starts_with(name, '__pgboss')`;

export type QueueRow = {
  queue: string;
  waiting: number;
  running: number;
  failed: number;
  done: number;
  oldestDueAt: Date | null;
};

/** Every queue, by name. */
export async function findQueues(db: Db): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    select q.name as queue, coalesce(j.waiting, 0)::int as waiting, coalesce(j.running, 0)::int as running,
      coalesce(f.failed, 0)::int as failed, coalesce(j.done, 0)::int as done, j."oldestDueAt"
    from jobs.queue q
    left join (
      select name, count(*) filter (where state < 'active') as waiting,
        count(*) filter (where state = 'active') as running,
        count(*) filter (where state = 'completed' and completed_on > now() - interval '1 day') as done,
        min(start_after) filter (where state < 'active' and start_after <= now()) as "oldestDueAt"
      from jobs.job where ${OURS} group by name
    ) j on j.name = q.name
    left join (
      select source_name, count(*) as failed from jobs.job
      where name = ${DEAD_LETTERS} and state < 'active' group by source_name
    ) f on f.source_name = q.name
    where q.name <> ${DEAD_LETTERS} and not starts_with(q.name, '__pgboss') order by q.name`.execute(db);
  return rows;
}

export async function countFailedJobs(db: Db, queue?: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from jobs.job
    where name = ${DEAD_LETTERS} and state < 'active' and source_name = coalesce(${queue ?? null}, source_name)`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

export type FailedJobRow = {
  id: string;
  queue: string;
  error: string | null;
  tries: number;
  createdAt: Date;
  failedAt: Date;
};

/** The latest first. */
export async function findFailedJobs(
  db: Db,
  { queue, limit, offset }: { queue?: string; limit: number; offset: number },
): Promise<FailedJobRow[]> {
  const { rows } = await sql<FailedJobRow>`
    select id, source_name as queue, coalesce(source_output->>'reason', source_output->>'message') as error,
      coalesce(source_retry_count, 0) + 1 as tries, coalesce(source_created_on, created_on) as "createdAt",
      created_on as "failedAt"
    from jobs.job
    where name = ${DEAD_LETTERS} and state < 'active' and source_name = coalesce(${queue ?? null}, source_name)
    order by created_on desc, id desc limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/** The oldest due job. */
export async function getOldestWaiting(db: Db): Promise<{ queue: string; dueAt: Date } | undefined> {
  const { rows } = await sql<{ queue: string; dueAt: Date }>`
    select name as queue, start_after as "dueAt" from jobs.job
    where state < 'active' and start_after <= now() and ${OURS}
    order by start_after limit 1`.execute(db);
  return rows[0];
}

/** Job counts for monitoring, by state, without finished ones. */
export async function countJobs(db: Db): Promise<{ waiting: number; running: number; failed: number; oldest: number }> {
  const { rows } = await sql<{ waiting: number; running: number; failed: number; oldest: number }>`
    select count(*) filter (where state < 'active' and ${OURS})::int as waiting,
      count(*) filter (where state = 'active' and ${OURS})::int as running,
      count(*) filter (where state < 'active' and name = ${DEAD_LETTERS})::int as failed,
      coalesce(extract(epoch from now() - min(start_after)
        filter (where state < 'active' and start_after <= now() and ${OURS})), 0)::float8 as oldest
    from jobs.job where state <= 'active'`.execute(db);
  return rows[0] ?? { waiting: 0, running: 0, failed: 0, oldest: 0 };
}
