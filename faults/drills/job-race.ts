import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { createCohort, createUpload } from '@officium/contract/admin';
import { placeChunkJob } from '../../server/areas/admin/upload.jobs.ts';
import { JOBS } from '../../server/app/jobs.ts';
import { openJobs } from '../../server/jobs/jobs.ts';
import type { Drill } from '../drill.ts';
import { none } from '../figures.ts';
import { must, openSandbox, type SandboxNode } from '../sandbox.ts';
import { equal, scaled, until } from '../measures.ts';

const MANY = 10_000;
const WORKERS = 4;
const PAUSES = 12;
/** Longer than the missed heartbeat and the search for stuck jobs together (server/jobs/jobs.ts). */
const PAUSED_MS = 60_000;

export const drill: Drill = {
  name: 'job-race',
  description: `Four workers run 10 000 jobs, each of which adds one person to a cohort and mails them; ${PAUSES} times one is paused (SIGSTOP) while it runs jobs, until others have taken them over, and resumes (SIGCONT).`,
  async run({ scale, print }) {
    const sandbox = await openSandbox();
    try {
      const count = scaled(MANY, scale);
      const web = await sandbox.start({ ROLE: 'web' });
      const admin = await sandbox.makePerson('administrator');
      const cohort = await must(web, createCohort, {
        as: admin,
        body: { name: 'Race', type: 'LEARNERS', primaryPartner: 'B' },
      });
      const emails = Array.from({ length: count }, (_, nth) => `learner-${nth}@example.gov`);
      const { uploadId } = await must(web, createUpload, {
        as: admin,
        params: { id: cohort.id },
        body: { slug: 'race', emails },
      });
      // One job per address instead of one per hundred.
      await sandbox.rows(`delete from jobs.job where name = $1`, [placeChunkJob.name]);
      const workers: SandboxNode[] = [];
      for (let nth = 0; nth < WORKERS; nth += 1)
        workers.push(await sandbox.start({ ROLE: 'worker', LOG_LEVEL: 'fatal' }));
      const jobs = await openJobs(sandbox.databaseUrl, pino({ level: 'silent' }), { worker: false, kinds: JOBS });
      const one = (nth: number) => ({ uploadId, first: nth, last: nth });
      await jobs.enqueueAll(
        sandbox.db,
        placeChunkJob,
        Array.from({ length: count }, (_, nth) => one(nth)),
      );
      await jobs.stop();

      const left = async () => {
        const [row] = await sandbox.rows<{ n: number }>(
          `select count(*)::int as n from jobs.job where name = $1 and state < 'completed'`,
          [placeChunkJob.name],
        );
        return row?.n ?? 0;
      };
      let pauses = 0;
      const stopped: Promise<void>[] = [];
      for (; pauses < scaled(PAUSES, scale) && (await left()) > 0; pauses += 1) {
        await pause(500 + Math.random() * 1000);
        const { pid } = workers[pauses % (WORKERS - 1)]!; // the last worker is never paused
        process.kill(pid, 'SIGSTOP');
        stopped.push(pause(PAUSED_MS).then(() => void process.kill(pid, 'SIGCONT')));
        if (stopped.length % (WORKERS - 1) === 0) await Promise.all(stopped);
      }
      await Promise.all(stopped);
      print(`${pauses} pauses done, ${await left()} jobs left`);
      await until('all jobs are done', async () => (await left()) === 0, 600_000, 1000);
      await pause(5_000); // resumed workers notice that they lost their jobs

      const [tries] = await sandbox.rows<{ again: number; failed: number }>(
        `select count(*) filter (where retry_count > 0)::int as again, count(*) filter (where state = 'failed')::int as failed
         from jobs.job where name = $1`,
        [placeChunkJob.name],
      );
      const [row] = await sandbox.rows<{
        invited: number;
        twice: number;
        mails: number;
        mailedTwice: number;
        open: number;
      }>(
        `select
           (select count(distinct email)::int from cohort_invitations where cohort_id = $1) as invited,
           (select (count(*) - count(distinct email))::int from cohort_invitations where cohort_id = $1) as twice,
           (select count(distinct recipient)::int from mails where kind = 'cohort_invitation') as mails,
           (select (count(*) - count(distinct recipient))::int from mails where kind = 'cohort_invitation') as "mailedTwice",
           (select count(*)::int from cohort_upload_rows where upload_id = $2 and outcome is distinct from 'invited') as open`,
        [cohort.id, uploadId],
      );
      const { invited, twice, mails, mailedTwice, open } = row!; // an aggregate returns one row
      return [
        equal('people invited', invited, count),
        none('people invited twice', twice, count),
        equal('people mailed', mails, count),
        none('people mailed twice', mailedTwice, count),
        none('addresses whose recorded outcome is wrong', open, count),
        none('jobs given up', tries?.failed ?? 0, count),
        {
          what: `jobs restarted after ${pauses} pauses`,
          result: String(tries?.again ?? 0),
          target: 'more than 0',
          isMet: (tries?.again ?? 0) > 0,
        },
      ];
    } finally {
      await sandbox.close();
    }
  },
};
