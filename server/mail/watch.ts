import type { Ctx } from '../ctx.ts';
import type { Db } from '../db/client.ts';
import { sendMailJob } from './outbox.ts';

export type MailState = 'queued' | 'failed' | 'expired' | 'sent';

export type MailRow = {
  id: string;
  kind: string;
  recipient: string;
  status: MailState;
  attempts: number;
  answer: string | null;
  createdAt: Date;
  sentAt: Date | null;
};

/** The newest first, without their content. */
export async function findMails(
  db: Db,
  { status, limit, offset }: { status: MailState; limit: number; offset: number },
): Promise<MailRow[]> {
  return await db
    .selectFrom('mails')
    .select(['id', 'kind', 'recipient', 'status', 'attempts'])
    .select(['last_error as answer', 'created_at as createdAt', 'sent_at as sentAt'])
    .where('id', 'in', (qb) =>
      qb
        .selectFrom('mails')
        .select('id')
        .where('status', '=', status)
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset),
    )
    .orderBy('id', 'desc')
    .$narrowType<{ status: MailState }>()
    .execute();
}

export async function countMails(db: Db): Promise<Record<MailState, number>> {
  const rows = await db
    .selectFrom('tallied')
    .select((eb) => ['key as status', eb.cast<number>(eb.fn.sum('n'), 'integer').as('count')])
    .where('thing', '=', 'mails')
    .groupBy('key')
    .execute();
  return {
    queued: 0,
    failed: 0,
    expired: 0,
    sent: 0,
    ...Object.fromEntries(rows.map((row) => [row.status, row.count])),
  };
}

/** Requeues a refused mail; returns its former status, undefined when it does not exist. */
export async function requeueMail(ctx: Ctx, db: Db, id: string): Promise<MailState | undefined> {
  const mail = await db
    .selectFrom('mails')
    .select('status')
    .where('id', '=', id)
    .forUpdate()
    .$narrowType<{ status: MailState }>()
    .executeTakeFirst();
  if (mail?.status !== 'failed') return mail?.status;
  await db.updateTable('mails').set({ status: 'queued' }).where('id', '=', id).execute();
  await ctx.jobs.enqueue(db, sendMailJob, { mailId: id });
  return mail.status;
}
