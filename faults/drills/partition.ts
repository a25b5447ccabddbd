import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { openDatabase } from '../../server/db/client.ts';
import { foldTalliesJob } from '../../server/jobs/fold-tallies.ts';
import { JOBS } from '../../server/app/jobs.ts';
import { openJobs } from '../../server/jobs/jobs.ts';
import type { Drill } from '../drill.ts';
import { atMost, none, seconds } from '../figures.ts';
import { slowestRecovery } from '../load.ts';
import { setUp } from '../topology/installation.ts';
import { withWorkshop } from '../topology/workshop.ts';
import { ask } from '../fixture.ts';
import { answerFigure, exitFigure, underLoad } from '../under-load.ts';

const DROPPED_MS = 30_000;

/** Enqueues a job directly, not through the gate. */
async function addJob(databaseUrl: string): Promise<void> {
  const { db, close } = openDatabase(databaseUrl, { max: 1, onError: () => {} });
  const jobs = await openJobs(databaseUrl, pino({ level: 'silent' }), { worker: false, kinds: JOBS });
  await jobs.enqueue(db, foldTalliesJob, {});
  await jobs.stop();
  await close();
}

export const drill: Drill = {
  name: 'partition',
  description:
    'Drops all packets between the processes and the database for 30 s, 20 times: connections are neither refused nor closed, and nothing answers. A proxy stops passing bytes; data in flight on a connection is lost for good.',
  async run({ scale, print }) {
    const times = Math.max(2, Math.round(20 * scale));
    const droppedMs = scale >= 1 ? DROPPED_MS : 12_000;
    return await withWorkshop(async (workshop) => {
      const installation = await setUp(workshop);
      const { gate, webs, databaseUrl } = installation;
      const passedMs: number[] = [];
      let stuck = 0;
      let waiting = 0;
      const { loaded, figures } = await underLoad(installation, {
        perSecond: Math.max(20, 200 * Math.min(scale, 1)),
        urls: webs.map(({ url }) => url),
        print,
        async work() {
          for (let time = 1; time <= times; time++) {
            gate.set('lossy');
            await pause(droppedMs);
            gate.set('open');
            passedMs.push(performance.now());
            await addJob(databaseUrl);
            await pause(30_000);
            // A transaction that is still open half a minute later holds its locks too.
            const [row] = await ask<{ stuck: number }>(
              databaseUrl,
              `select count(*)::int as stuck from pg_stat_activity
               where application_name like 'officium%' and xact_start < now() - interval '30 seconds'`,
            );
            stuck += row?.stuck ?? 0;
            const [left] = await ask<{ jobs: number }>(
              databaseUrl,
              `select count(*)::int as jobs from jobs.job where name = $1 and state < 'completed'
               and created_on < now() - interval '25 seconds'`,
              [foldTalliesJob.name],
            );
            waiting += left?.jobs ?? 0;
            print(`partition ${time} of ${times}`);
          }
        },
      });
      return [
        ...figures,
        exitFigure(installation),
        none('connections stuck in a transaction 30 s later', stuck),
        none('jobs unfinished 30 s later', waiting, times),
        answerFigure(loaded, 10_000),
        atMost(
          `longest time from the end of a partition to the first acknowledged write, ${times} partitions of ${droppedMs / 1000} s`,
          slowestRecovery(loaded.attempts, passedMs),
          30_000,
          seconds,
        ),
      ];
    });
  },
};
