import pino from 'pino';
import { createCohort, createUpload } from '@officium/contract/admin';
import { placeChunkJob } from '../../server/areas/admin/upload.jobs.ts';
import { JOBS } from '../../server/app/jobs.ts';
import { openJobs } from '../../server/jobs/jobs.ts';
import type { Drill } from '../drill.ts';
import { none } from '../figures.ts';
import { must, openInstallation, type Node } from '../installation.ts';
import { equal, pause, scaled, until } from '../measures.ts';

const MANY = 10_000;
const WORKERS = 4;
const PAUSES = 12;
/** Past the sign of life that is missed and the look for those that missed it (server/jobs/jobs.ts). */
const PAUSED_MS = 60_000;

export const drill: Drill = {
  name: 'job-race',
  does: `Four workers do 10 000 jobs, each of which places one person in a cohort and mails them; ${PAUSES} times one is stopped (SIGSTOP) with jobs in its hands, until these were given to others, and goes on (SIGCONT).`,
  async run({ scale, say }) {
    const house = await openInstallation();
    try {
      const count = scaled(MANY, scale);
      const web = await house.start({ ROLE: 'web' });
      const admin = await house.makePerson('administrator');
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
      // A job for each address, instead of one for a hundred.
      await house.rows(`delete from jobs.job where name = $1`, [placeChunkJob.name]);
      const workers: Node[] = [];
      for (let nth = 0; nth < WORKERS; nth += 1)
        workers.push(await house.start({ ROLE: 'worker', LOG_LEVEL: 'fatal' }));
      const jobs = await openJobs(house.databaseUrl, pino({ level: 'silent' }), { worker: false, kinds: JOBS });
      const one = (nth: number) => ({ uploadId, first: nth, last: nth });
      await jobs.enqueueAll(
        house.db,
        placeChunkJob,
        Array.from({ length: count }, (_, nth) => one(nth)),
      );
      await jobs.stop();

      const left = async () => {
        const [row] = await house.rows<{ n: number }>(
          `select count(*)::int as n from jobs.job where name = $1 and state < 'completed'`,
          [placeChunkJob.name],
        );
        return row?.n ?? 0;
      };
      let pauses = 0;
      const stopped: Promise<void>[] = [];
      for (; pauses < scaled(PAUSES, scale) && (await left()) > 0; pauses += 1) {
        await pause(500 + Math.random() * 1000);
        const { pid } = workers[pauses % (WORKERS - 1)]!; // one goes on always
        process.kill(pid, 'SIGSTOP');
        stopped.push(pause(PAUSED_MS).then(() => void process.kill(pid, 'SIGCONT')));
        if (stopped.length % (WORKERS - 1) === 0) await Promise.all(stopped);
      }
      await Promise.all(stopped);
      say(`${pauses} pauses are over, ${await left()} jobs are left`);
      await until('all jobs are done', async () => (await left()) === 0, 600_000, 1000);
      await pause(5_000); // whoever went on notices that its job is not its own any more

      const [tries] = await house.rows<{ again: number; failed: number }>(
        `select count(*) filter (where retry_count > 0)::int as again, count(*) filter (where state = 'failed')::int as failed
         from jobs.job where name = $1`,
        [placeChunkJob.name],
      );
      const [row] = await house.rows<{
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
      const { invited, twice, mails, mailedTwice, open } = row!; // one row
      return [
        equal('people invited', invited, count),
        none('people invited twice', twice, count),
        equal('people mailed', mails, count),
        none('people mailed twice', mailedTwice, count),
        none('addresses whose outcome is not what was done', open, count),
        none('jobs given up', tries?.failed ?? 0, count),
        {
          what: `jobs begun again after ${pauses} pauses`,
          reached: String(tries?.again ?? 0),
          demanded: 'more than 0',
          isReached: (tries?.again ?? 0) > 0,
        },
      ];
    } finally {
      await house.close();
    }
  },
};
