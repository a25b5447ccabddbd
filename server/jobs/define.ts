import type { Ctx } from '../ctx.ts';

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
export type Job<Data extends object = object> = {
  name: string;
  options: JobOptions;
  run(ctx: Ctx, data: Data): Promise<void>;
};

export function defineJob<Data extends object>(
  name: string,
  options: JobOptions,
  run: (ctx: Ctx, data: Data) => Promise<void>,
): Job<Data> {
  return { name, options, run };
}
