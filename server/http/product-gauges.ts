import { Gauge, type Registry } from 'prom-client';
import type { Ctx } from '../ctx.ts';
import { readChecks } from '../jobs/nightly-checks.ts';
import { countJobs } from '../jobs/watch.ts';
import { countMails } from '../mail/watch.ts';

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
      log.warn({ err: error }, 'jobs and mails could not be counted');
      for (const gauge of gauges) gauge.reset();
    }
  };
  new Gauge({ name: 'officium_processes', help: 'Processes behind this port', registers }).set(1);
  new Gauge({
    name: 'officium_hearing',
    help: 'Whether this process hears all that the others announce; without it what it remembers may be seconds late',
    aggregator: 'min',
    registers,
    collect() {
      this.set(fanOut.isHearing() ? 1 : 0);
    },
  });
  if (redis) {
    new Gauge({
      name: 'officium_redis_up',
      help: 'Whether this process counts limits and announces by Redis; 0: by the database',
      aggregator: 'min',
      registers,
      collect() {
        this.set(redis.isUp() ? 1 : 0);
      },
    });
    new Gauge({
      name: 'officium_redis_failures',
      help: 'Calls of Redis without an answer since the process began',
      registers,
      collect() {
        this.set(redis.failures());
      },
    });
  }
  const oldest = new Gauge({
    name: 'officium_oldest_due_job_seconds',
    help: 'For how long the job has been due that waits longest',
    aggregator: 'max',
    registers,
  });
  new Gauge({
    name: 'officium_jobs',
    help: 'Jobs by state; failed ones were given up',
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
    help: 'Mails by status, of the last 30 days where they are over',
    labelNames: ['status'],
    aggregator: 'first',
    registers,
    async collect() {
      await asking([this], async () => {
        for (const [status, count] of Object.entries(await countMails(db))) this.set({ status }, count);
      });
    },
  });
  const age = new Gauge({
    name: 'officium_check_age_seconds',
    help: 'How long ago each check of the night was done',
    labelNames: ['check'],
    aggregator: 'first',
    registers,
  });
  new Gauge({
    name: 'officium_check_wrong',
    help: 'What each check of the night found wrong: counters that differ from what they count, links of the audit log that do not hold',
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
