import type { Ctx } from '../ctx.ts';
import type { JobKind, JobOptions } from './jobs.ts';

export type Job<Data extends object = object> = JobKind<Ctx, Data>;

export function defineJob<Data extends object>(
  name: string,
  options: JobOptions,
  run: (ctx: Ctx, data: Data) => Promise<void>,
): Job<Data> {
  return { name, options, run };
}
