import { Gauge, type Registry } from 'prom-client';
import type { Ctx } from '#server/ctx.ts';
import { readChecks } from '#server/integrity/nightly-checks.ts';
import { readOverdue } from '#server/jobs/sweep.ts';
import { countJobs } from '#server/jobs/watch.ts';
import { countMails } from '#server/mail/watch.ts';

/**
 * How jobs and mails stand, asked of the database when the metrics are: every process answers alike. And what this
 * process has to do with the others.
 */
export function productGauges(
  registry: Registry,
  { db, redis, fanOut, log }: Pick<Ctx, 'db' | 'redis' | 'fanOut' | 'log'>,
): void {
  const registers = [registry];
  /** Without the database these are not known, and the rest is all the more wanted. */
  const asking = async (gauges: Gauge<string>[], ask: () => Promise<void>) => {
    try {
      await ask();
    } catch (error) {
      log.warn({ err: error }, 'job and mail gauges unavailable');
      for (const gauge of gauges) gauge.reset();
    }
  };
  new Gauge({ name: 'officium_processes', help: 'Web processes behind this port', registers }).set(1);
  new Gauge({
    name: 'officium_hearing',
    help: '1 while this process receives announcements of other processes; at 0 its caches may be seconds old',
    aggregator: 'min',
    registers,
    collect() {
      this.set(fanOut.isHearing() ? 1 : 0);
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
