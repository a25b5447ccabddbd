import { defineJob } from '#server/jobs/define.ts';
import type { Ctx } from '#server/ctx.ts';
import { isLoadDue, loadJobTasks } from './job-task-load.service.ts';

export const loadJobTasksJob = defineJob('ai.load-job-tasks', {}, loadJobTasks);

/** Enqueues loading if the statements are missing or old. Startup does not wait for it. */
export async function ensureJobTasks(ctx: Ctx): Promise<void> {
  if (await isLoadDue(ctx)) await ctx.jobs.enqueue(ctx.db, loadJobTasksJob, {}, { singletonKey: 'load' });
}
