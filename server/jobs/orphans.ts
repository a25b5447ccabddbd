// Raw SQL: the job store's tables have no generated types.
import { sql } from 'kysely';
import type { Db } from '../db/client.ts';

/** The job store's failure of a job whose worker sends no heartbeat any more. */
const SILENT = 'job heartbeat timeout';

/**
 * Makes the jobs of dead workers due at once. The job store delays them like failed jobs, longer each time; but here
 * the worker failed, not the job.
 */
export async function requeueOrphans(db: Db, queues: readonly string[]): Promise<void> {
  await sql`update jobs.job set start_after = now()
    where name = any(${queues}) and state = 'retry' and start_after > now() and output #>> '{value,message}' = ${SILENT}`.execute(
    db,
  );
}
