import { Gauge, type Registry } from 'prom-client';
import type { Ctx } from '#server/ctx.ts';
import type { Db } from '#server/db/client.ts';
import { readChecks } from '#server/integrity/nightly-checks.ts';
import { readOverdue } from '#server/jobs/sweep.ts';
import { countJobs } from '#server/jobs/watch.ts';
import { countMails } from '#server/mail/watch.ts';

type Asking = (gauges: Gauge<string>[], ask: () => Promise<void>) => Promise<void>;

/** This process's connections to the others. */
function connectionGauges(registers: Registry[], { redis, fanOut }: Pick<Ctx, 'redis' | 'fanOut'>): void {
  new Gauge({ name: 'officium_processes', help: 'Web processes behind this port', registers }).set(1);
  new Gauge({
    name: 'officium_hearing',
    help: '1 while this process receives announcements of other processes; at 0 its caches may be seconds old',
    aggregator: 'min',
    registers,
    collect() {
      this.set(fanOut.isReceiving() ? 1 : 0);
    },
  });
  if (redis) {
    new Gauge({
      name: 'officium_redis_up',
      help: '1 while rate limits and announcements use Redis, 0 while they use the database',
      aggregator: 'min',
      registers,
      collect() {
        this.set(redis.isUp() ? 1 : 0);
      },
    });
    new Gauge({
      name: 'officium_redis_failures',
      help: 'Failed Redis calls since the process started',
      registers,
      collect() {
        this.set(redis.failures());
      },
    });
  }
}

function workGauges(registers: Registry[], db: Db, asking: Asking): void {
  const oldest = new Gauge({
    name: 'officium_oldest_due_job_seconds',
    help: 'Age of the oldest due job, in seconds',
    aggregator: 'max',
    registers,
  });
  new Gauge({
    name: 'officium_jobs',
    help: 'Jobs by state; a failed job is not retried any more',
    labelNames: ['state'],
    aggregator: 'first',
    registers,
    async collect() {
      await asking([this, oldest], async () => {
        const { waiting, running, failed, oldest: seconds } = await countJobs(db);
        for (const [state, count] of Object.entries({ waiting, running, failed })) this.set({ state }, count);
        oldest.set(seconds);
      });
    },
  });
  new Gauge({
    name: 'officium_mails',
    help: 'Mails by status; sent and failed ones of the last 30 days',
    labelNames: ['status'],
    aggregator: 'first',
    registers,
    async collect() {
      await asking([this], async () => {
        for (const [status, count] of Object.entries(await countMails(db))) this.set({ status }, count);
      });
    },
  });
}

function checkGauges(registers: Registry[], db: Db, asking: Asking): void {
  new Gauge({
    name: 'officium_overdue_rows',
    help: 'Overdue rows that the last sweep left, by table',
    labelNames: ['table'],
    aggregator: 'first',
    registers,
    async collect() {
      await asking([this], async () => {
        for (const { target: table, overdue } of await readOverdue(db)) this.set({ table }, overdue);
      });
    },
  });
  const age = new Gauge({
    name: 'officium_check_age_seconds',
    help: 'Seconds since each nightly check ran',
    labelNames: ['check'],
    aggregator: 'first',
    registers,
  });
  new Gauge({
    name: 'officium_check_wrong',
    help: 'Faults found by each nightly check: drifted counters, broken links of the audit log',
    labelNames: ['check'],
    aggregator: 'first',
    registers,
    async collect() {
      await asking([this, age], async () => {
        for (const { name: check, wrong, ageSeconds } of await readChecks(db)) {
          this.set({ check }, wrong);
          age.set({ check }, ageSeconds);
        }
      });
    },
  });
}

/**
 * Gauges of jobs and mails, read from the database at collection, so that every process returns the same, and this
 * process's connections to the others.
 */
export function productGauges(
  registry: Registry,
  { db, redis, fanOut, log }: Pick<Ctx, 'db' | 'redis' | 'fanOut' | 'log'>,
): void {
  const registers = [registry];
  /** During a database outage these gauges are left out and the rest is served. */
  const asking: Asking = async (gauges, ask) => {
    try {
      await ask();
    } catch (error) {
      log.warn({ err: error }, 'job and mail gauges unavailable');
      for (const gauge of gauges) gauge.reset();
    }
  };
  connectionGauges(registers, { redis, fanOut });
  workGauges(registers, db, asking);
  checkGauges(registers, db, asking);
}
