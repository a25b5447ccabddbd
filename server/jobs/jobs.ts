import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Db } from '../db/client.ts';
import { makeLeftBehindDue } from './left-behind.ts';
import { DEAD_LETTERS } from './watch.ts';

/** What doing jobs needs of what the process holds. */
type Holder = { db: Db; log: Logger; news: { touch(): void } };

export type JobOptions = {
  /** How often a failing job is tried again. A killed worker counts as a failure, so this is generous. */
  retryLimit?: number;
  /** First wait between tries, doubled each time. */
  retryDelaySeconds?: number;
  retryDelayMaxSeconds?: number;
  /** One after another in a process, which leaves the most room for requests; without it, a few at once. */
  inTurn?: boolean;
  /** There may be very many: it begins one (or a few, if not in turn) in so many milliseconds, for those who read meanwhile. */
  paceMs?: number;
  /** Run on a schedule too (cron, UTC); the data is then empty. */
  cron?: string;
};

/** One kind of job: `area.verb-noun`. `run` may be called twice for the same data and must have its effect once. */
export type JobKind<Holds, Data extends object = object> = {
  name: string;
  options: JobOptions;
  run(ctx: Holds, data: Data): Promise<void>;
};

export type EnqueueOptions = {
  startAfter?: Date;
  /** At most one waiting job of this key. */
  singletonKey?: string;
};

export type Jobs<Holds> = {
  /** Adds a job in the caller's transaction: it exists if and only if that commits. */
  enqueue<Data extends object>(db: Db, job: JobKind<Holds, Data>, data: Data, options?: EnqueueOptions): Promise<void>;
  /** Many at once, in one statement. */
  enqueueAll<Data extends object>(
    db: Db,
    job: JobKind<Holds, Data>,
    data: readonly Data[],
    options?: { startAfterSeconds?: number },
  ): Promise<void>;
  /** Gives failed jobs another chance: one by the id it failed under, or all of a queue. Answers how many. */
  retry(db: Db, which: { queue: string; id: string | undefined }): Promise<number>;
  /** Takes jobs and does them until `stop`. */
  work(ctx: Holds): Promise<void>;
  /** Does what is due now, and answers how many jobs that were. For tests and command-line tools. */
  drain(ctx: Holds): Promise<number>;
  /** Lets jobs under way finish, for at most 20 s; what is left is taken up by another worker. */
  stop(): Promise<void>;
};

/** Woken by NOTIFY, looking anyway every few seconds; without a pause while there is much to do. */
const POLLING = {
  batchSize: 4, // with 1 there is no burst
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 5,
  burstWhenBatchFull: true,
} as const;
/**
 * Why a job failed, as the job store keeps it for days: not in the words of the error, in which a mail server, say,
 * repeats an address. Those are in the log.
 */
function reasonOf(error: unknown): { reason: string } {
  const { code, name } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    name?: unknown;
  }; // only read
  return { reason: typeof code === 'string' ? code : String(name ?? typeof error) };
}

/** Does the work and waits until so many milliseconds have passed since it began. */
async function paced(paceMs: number, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await work();
  await setTimeout(Math.max(0, paceMs - (performance.now() - begun)));
}

/**
 * A worker that is killed leaves its jobs behind as being done. They are given to another when they have shown no life
 * for so long, which is looked at so often, and are due then: within a minute, however often their workers are killed.
 */
const HEARTBEAT_SECONDS = 30;
const SUPERVISION_SECONDS = 15;
const LOOK_FOR_LEFT_BEHIND_MS = 5_000;
/**
 * A batch that takes longer is given to another while it goes on here. Dead workers are noticed by their silence, so this
 * is more than any of our jobs takes. The job store allows a day.
 */
const LONGEST_SECONDS = 6 * 3600;

/** A connection whose other end is gone without a word is given up. The job store passes this on to its pool. */
const ON_SILENCE = { keepAlive: true, query_timeout: 20_000 };

function newBoss(databaseUrl: string, isWorker: boolean): PgBoss {
  return new PgBoss({
    connectionString: databaseUrl,
    application_name: 'officium-jobs',
    max: isWorker ? 4 : 2,
    schema: 'jobs',
    supervise: isWorker,
    superviseIntervalSeconds: SUPERVISION_SECONDS,
    monitorIntervalSeconds: SUPERVISION_SECONDS,
    schedule: isWorker,
    useListenNotify: isWorker,
    migrate: false,
    createSchema: false,
    ...ON_SILENCE,
  });
}

/** Makes the tables and queues of the job store. Run after the migrations, under their care for concurrency. */
export async function prepareJobs(
  databaseUrl: string,
  kinds: readonly Pick<JobKind<never>, 'name' | 'options'>[],
): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, schema: 'jobs', max: 2, supervise: false, schedule: false });
  boss.on('error', () => {}); // whatever matters is thrown by the calls below
  await boss.start();
  try {
    const existing = new Set((await boss.getQueues()).map((queue) => queue.name));
    if (!existing.has(DEAD_LETTERS)) await boss.createQueue(DEAD_LETTERS);
    for (const { name, options } of kinds) {
      const settings = {
        retryLimit: options.retryLimit ?? 20,
        retryDelay: options.retryDelaySeconds ?? 2,
        retryBackoff: true,
        retryDelayMax: options.retryDelayMaxSeconds ?? 600,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        expireInSeconds: LONGEST_SECONDS,
        deadLetter: DEAD_LETTERS,
        notify: true,
      };
      if (existing.has(name)) await boss.updateQueue(name, settings);
      else await boss.createQueue(name, settings);
    }
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** The job store in our database. `prepareJobs` has run. */
export async function openJobs<Holds extends Holder>(
  databaseUrl: string,
  log: Logger,
  { worker, kinds }: { worker: boolean; kinds: readonly JobKind<Holds, never>[] },
): Promise<Jobs<Holds>> {
  const boss = newBoss(databaseUrl, worker);
  boss.on('error', (error) => log.error({ err: error }, 'job store error'));
  await boss.start();

  let lookingAfter: NodeJS.Timeout | undefined;

  const runOne = async (ctx: Holds, job: JobKind<Holds, never>, data: object) => {
    await job.run({ ...ctx, log: ctx.log.child({ job: job.name }) }, data as never); // enqueue typed it
    ctx.news.touch();
  };

  return {
    async enqueue(db, job, data, { startAfter, singletonKey } = {}) {
      await boss.send(job.name, data, { db: fromKysely(db), startAfter, singletonKey });
    },

    async enqueueAll(db, job, all, { startAfterSeconds: startAfter = 0 } = {}) {
      if (all.length === 0) return;
      const jobs = all.map((data) => ({ data, startAfter }));
      await boss.insert(job.name, jobs, { db: fromKysely(db) });
    },

    async retry(db, { queue, id }) {
      return await boss.redrive(DEAD_LETTERS, {
        db: fromKysely(db),
        sourceName: queue,
        ...(id === undefined ? {} : { ids: [id] }),
      });
    },

    async work(ctx) {
      const queues = kinds.map(({ name }) => name);
      lookingAfter = setInterval(() => {
        makeLeftBehindDue(ctx.db, queues).catch((error: unknown) => log.warn({ err: error }, 'job store error'));
      }, LOOK_FOR_LEFT_BEHIND_MS).unref();
      for (const job of kinds) {
        if (job.options.cron) await boss.schedule(job.name, job.options.cron, {}, { tz: 'UTC' });
        const tryOne = async ({ data, id }: { data: unknown; id: string }) => {
          try {
            await runOne(ctx, job, data as object);
          } catch (error) {
            log.warn({ err: error, job: job.name, jobId: id }, 'job failed');
            // On its own, so that the others of the batch count as done.
            await boss.fail(job.name, id, reasonOf(error));
          }
        };
        await boss.work(job.name, POLLING, async (batch) => {
          const steps = job.options.inTurn ? batch.map((one) => [one]) : [batch];
          for (const step of steps) {
            const work = () => Promise.all(step.map(tryOne));
            await (job.options.paceMs ? paced(job.options.paceMs, work) : work());
          }
        });
      }
    },

    async drain(ctx) {
      let done = 0;
      for (let found = true; found;) {
        found = false;
        for (const job of kinds) {
          const batch = await boss.fetch<object>(job.name, { batchSize: 100 });
          for (const { id, data } of batch) {
            found = true;
            done += 1;
            try {
              await runOne(ctx, job, data);
              await boss.complete(job.name, id);
            } catch (error) {
              await boss.fail(job.name, id, reasonOf(error));
              throw error;
            }
          }
        }
      }
      return done;
    },

    async stop() {
      clearInterval(lookingAfter);
      await boss.stop({ graceful: true, timeout: 20_000 });
    },
  };
}
