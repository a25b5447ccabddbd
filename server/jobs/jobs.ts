import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { fromKysely, PgBoss } from 'pg-boss';
import type { Db } from '../db/client.ts';
import { requeueOrphans } from './orphans.ts';
import { DEAD_LETTERS } from './watch.ts';

/** The parts of the context that running jobs needs. */
type Holder = { db: Db; log: Logger; news: { touch(): void } };

export type JobOptions = {
  /** How often a failing job is retried. A killed worker counts as a failure, so this is generous. */
  retryLimit?: number;
  /** The delay before the first retry, doubled each time. */
  retryDelaySeconds?: number;
  retryDelayMaxSeconds?: number;
  /** One at a time per process, which leaves the most capacity for requests; otherwise a few at once. */
  inTurn?: boolean;
  /** For jobs in large numbers: at most one start (or a few, if not in turn) per this many milliseconds. */
  paceMs?: number;
  /** Also run on a schedule (cron, UTC), with empty data. */
  cron?: string;
};

/** A kind of job: `area.verb-noun`. `run` may be called twice for the same data and must have its effect once. */
export type JobKind<Holds, Data extends object = object> = {
  name: string;
  options: JobOptions;
  run(ctx: Holds, data: Data): Promise<void>;
};

export type EnqueueOptions = {
  startAfter?: Date;
  /** At most one waiting job with this key. */
  singletonKey?: string;
};

export type Jobs<Holds> = {
  /** Adds a job in the caller's transaction: it exists if and only if that commits. */
  enqueue<Data extends object>(db: Db, job: JobKind<Holds, Data>, data: Data, options?: EnqueueOptions): Promise<void>;
  /** Adds many jobs in one statement. */
  enqueueAll<Data extends object>(
    db: Db,
    job: JobKind<Holds, Data>,
    data: readonly Data[],
    options?: { startAfterSeconds?: number },
  ): Promise<void>;
  /** Retries failed jobs: one by its id, or all of a queue. Returns their number. */
  retry(db: Db, which: { queue: string; id: string | undefined }): Promise<number>;
  /** Runs jobs until `stop`. */
  work(ctx: Holds): Promise<void>;
  /** Runs the due jobs now and returns their number. For tests and command-line tools. */
  drain(ctx: Holds): Promise<number>;
  /** Lets running jobs finish, for at most 20 s; another worker takes over the rest. */
  stop(): Promise<void>;
};

/** Woken by NOTIFY, with polling every few seconds as a fallback, and without pauses during a burst. */
const POLLING = {
  batchSize: 4, // with 1 there is no burst
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 5,
  burstWhenBatchFull: true,
} as const;
/**
 * The reason of a failure, as the job store keeps it for days. It omits the error's message, which may contain personal
 * data such as an address a mail server repeats; the log has it.
 */
function reasonOf(error: unknown): { reason: string } {
  const { code, name } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    name?: unknown;
  }; // only read
  return { reason: typeof code === 'string' ? code : String(name ?? typeof error) };
}

/** Runs the work and waits until `paceMs` have passed since its start. */
async function paced(paceMs: number, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  await work();
  await setTimeout(Math.max(0, paceMs - (performance.now() - begun)));
}

/**
 * A killed worker leaves its jobs marked as running. Jobs without a heartbeat for this long are requeued, at this
 * interval, and due at once: within a minute, however often workers are killed.
 */
const HEARTBEAT_SECONDS = 30;
const SUPERVISION_SECONDS = 15;
const LOOK_FOR_LEFT_BEHIND_MS = 5_000;
/**
 * A longer batch would be given to another worker as well. Dead workers are detected by heartbeat, so this exceeds the
 * longest job. The job store allows a day.
 */
const LONGEST_SECONDS = 6 * 3600;

/** Closes connections that were lost silently. The job store passes these options to its pool. */
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

/** Creates the tables and queues of the job store. Runs after the migrations, under their lock. */
export async function prepareJobs(
  databaseUrl: string,
  kinds: readonly Pick<JobKind<never>, 'name' | 'options'>[],
): Promise<void> {
  const boss = new PgBoss({ connectionString: databaseUrl, schema: 'jobs', max: 2, supervise: false, schedule: false });
  boss.on('error', () => {}); // relevant errors are thrown by the calls below
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

async function runOne<Holds extends Holder>(ctx: Holds, job: JobKind<Holds, never>, data: object): Promise<void> {
  await job.run({ ...ctx, log: ctx.log.child({ job: job.name }) }, data as never); // enqueue typed it
  ctx.news.touch();
}

/** Runs the jobs of a batch at the pace of their kind. A failed one is logged and tried again later. */
async function runBatch<Holds extends Holder>(
  boss: PgBoss,
  job: JobKind<Holds, never>,
  batch: readonly { id: string; data: object }[],
  ctx: Holds,
): Promise<void> {
  const tryOne = async ({ data, id }: { data: object; id: string }) => {
    try {
      await runOne(ctx, job, data);
    } catch (error) {
      ctx.log.warn({ err: error, job: job.name, jobId: id }, 'job failed');
      // Failed one by one, so that the others of the batch count as done.
      await boss.fail(job.name, id, reasonOf(error));
    }
  };
  const steps = job.options.inTurn ? batch.map((one) => [one]) : [batch];
  for (const step of steps) {
    const work = () => Promise.all(step.map(tryOne));
    await (job.options.paceMs ? paced(job.options.paceMs, work) : work());
  }
}

/** The job store in our database. Requires `prepareJobs`. */
export async function openJobs<Holds extends Holder>(
  databaseUrl: string,
  log: Logger,
  { worker, kinds }: { worker: boolean; kinds: readonly JobKind<Holds, never>[] },
): Promise<Jobs<Holds>> {
  const boss = newBoss(databaseUrl, worker);
  boss.on('error', (error) => log.error({ err: error }, 'job store error'));
  await boss.start();

  let lookingAfter: NodeJS.Timeout | undefined;

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
        requeueOrphans(ctx.db, queues).catch((error: unknown) => log.warn({ err: error }, 'job store error'));
      }, LOOK_FOR_LEFT_BEHIND_MS).unref();
      for (const job of kinds) {
        if (job.options.cron) await boss.schedule(job.name, job.options.cron, {}, { tz: 'UTC' });
        await boss.work<object>(job.name, POLLING, (batch) => runBatch(boss, job, batch, ctx));
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
