import type * as contract from '@officium/contract/operations';
import type { InputOf, ReplyOf } from '@officium/contract/endpoint';
import { recordAction } from '#server/audit/audit.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError, notFound } from '#server/errors.ts';
import { countFailedJobs, findFailedJobs, findQueues } from '#server/jobs/watch.ts';
import { countMails, findMails, requeueMail } from '#server/mail/watch.ts';
import { shortened, toAnswer } from './operations.view.ts';
import { findContentEvents } from './system.repository.ts';

export async function listJobQueues(ctx: Ctx): Promise<ReplyOf<typeof contract.listJobQueues>> {
  const queues = await findQueues(ctx.db);
  return {
    queues: queues.map(({ oldestDueAt, ...row }) => ({ ...row, oldestDueAt: oldestDueAt?.toISOString() ?? null })),
  };
}

export async function listFailedJobs(
  ctx: Ctx,
  query: InputOf<typeof contract.listFailedJobs>['query'],
): Promise<ReplyOf<typeof contract.listFailedJobs>> {
  const [jobs, total] = await Promise.all([findFailedJobs(ctx.db, query), countFailedJobs(ctx.db, query.queue)]);
  return {
    jobs: jobs.map(({ createdAt, failedAt, ...job }) => ({
      ...job,
      createdAt: createdAt.toISOString(),
      failedAt: failedAt.toISOString(),
    })),
    total,
  };
}

/** Retries a failed job, or all of a queue, with a full set of attempts. */
export async function retryJobs(
  ctx: Ctx,
  viewer: UserViewer,
  { queue, id }: InputOf<typeof contract.retryJobs>['body'],
): Promise<ReplyOf<typeof contract.retryJobs>> {
  return await inTransaction(ctx.db, async (db) => {
    const retried = await ctx.jobs.retry(db, { queue, id });
    if (retried === 0) throw notFound();
    await recordAction(db, viewer, { action: 'admin.retry-jobs', object: id ?? queue, detail: { queue, retried } });
    return { retried };
  });
}

export async function listMails(
  ctx: Ctx,
  query: InputOf<typeof contract.listMails>['query'],
): Promise<ReplyOf<typeof contract.listMails>> {
  const [mails, counts] = await Promise.all([findMails(ctx.db, query), countMails(ctx.db)]);
  return {
    mails: mails.map(({ createdAt, sentAt, recipient, answer, ...mail }) => ({
      ...mail,
      recipient: shortened(recipient),
      answer: toAnswer(answer),
      createdAt: createdAt.toISOString(),
      sentAt: sentAt?.toISOString() ?? null,
    })),
    total: counts[query.status],
    counts,
  };
}

export async function retryMail(ctx: Ctx, viewer: UserViewer, id: string): Promise<ReplyOf<typeof contract.retryMail>> {
  return await inTransaction(ctx.db, async (db) => {
    const was = await requeueMail(ctx, db, id);
    if (was === undefined) throw notFound();
    if (was !== 'failed') throw new AppError('operations.mail_not_failed');
    await recordAction(db, viewer, { action: 'admin.retry-mail', object: id });
    return { id, status: 'queued' as const };
  });
}

export async function listContentEvents(
  ctx: Ctx,
  { outcome, entry, limit, offset }: InputOf<typeof contract.listContentEvents>['query'],
): Promise<ReplyOf<typeof contract.listContentEvents>> {
  const { events, total } = await findContentEvents(ctx.db, { outcome, entry, limit, offset });
  return {
    events: events.map(({ receivedAt, ...event }) => ({ ...event, receivedAt: receivedAt.toISOString() })),
    total,
  };
}
