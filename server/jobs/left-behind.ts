import { sql } from 'kysely';
import type { Db } from '../db/client.ts';

/** What the job store writes down of a job whose worker shows no life any more. */
const SILENT = 'job heartbeat timeout';

/**
 * Makes due what dead workers left behind. The job store lets it wait as if it had failed, ever longer; but what is wrong is
 * not the job, and a worker is there that could do it.
 */
export async function makeLeftBehindDue(db: Db, queues: readonly string[]): Promise<void> {
  await sql`update jobs.job set start_after = now()
    where name = any(${queues}) and state = 'retry' and start_after > now() and output #>> '{value,message}' = ${SILENT}`.execute(
    db,
  );
}
