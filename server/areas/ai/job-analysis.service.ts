import type { Locale } from '@officium/contract/common';
import type { ReplyOf } from '@officium/contract/endpoint';
import * as contract from '@officium/contract/job-tasks';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { takeLimit } from '#server/limits/limits.ts';
import { countJobs, findJobs, getJob, type JobRow } from './job-analysis.repository.ts';
import { answerJob, requireAnalyst } from './job-task.service.ts';

const READS = { max: contract.JOB_ANALYSIS_READS_AN_HOUR, windowSeconds: 3600 };

const toSummary = ({ id, job: { jobTitle, organization }, updated_at }: JobRow) => ({
  threadId: id,
  jobTitle,
  organization,
  askedAt: updated_at.toISOString(),
});

export async function listJobAnalyses(
  ctx: Ctx,
  viewer: UserViewer,
  page: { limit: number; offset: number },
): Promise<ReplyOf<typeof contract.listJobAnalyses>> {
  requireAnalyst(viewer);
  const rows = await findJobs(ctx.db, { userId: viewer.id, ...page });
  return {
    analyses: rows.map((row) => ({ ...toSummary(row), tasks: row.job.tasks.length })),
    total: await countJobs(ctx.db, viewer.id),
  };
}

/** Answers the viewer's last question about a job again, with their current language and access. */
export async function readJobAnalysis(
  ctx: Ctx,
  viewer: UserViewer,
  { threadId, locale }: { threadId: string; locale: Locale },
): Promise<ReplyOf<typeof contract.readJobAnalysis>> {
  requireAnalyst(viewer);
  const row = await getJob(ctx.db, { id: threadId, userId: viewer.id });
  if (!row) throw notFound();
  await takeLimit(ctx, `ai.read-job-analysis:${viewer.id}`, READS);
  return { ...(await answerJob(ctx, viewer, { ...row.job, locale })), ...toSummary(row), given: row.job.tasks };
}
