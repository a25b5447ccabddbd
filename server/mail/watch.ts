import { sql } from 'kysely';
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

/** The newest first, without what stands in them. */
export async function findMails(
  db: Db,
  { status, limit, offset }: { status: MailState; limit: number; offset: number },
): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    select id, kind, recipient, status, attempts, last_error as answer, created_at as "createdAt", sent_at as "sentAt"
    from mails
    where id in (select id from mails where status = ${status} order by id desc limit ${limit} offset ${offset})
    order by id desc`.execute(db);
  return rows;
}

export async function countMails(db: Db): Promise<Record<MailState, number>> {
  const { rows } = await sql<{ status: MailState; count: number }>`
    select key as status, sum(n)::int as count from tallied where thing = 'mails' group by key`.execute(db);
  return {
    queued: 0,
    failed: 0,
    expired: 0,
    sent: 0,
    ...Object.fromEntries(rows.map((row) => [row.status, row.count])),
  };
}

/** Puts a mail that was refused back into the queue; answers what it was, undefined when it is not there. */
export async function requeueMail(ctx: Ctx, db: Db, id: string): Promise<MailState | undefined> {
  const { rows } = await sql<{ status: MailState }>`select status from mails where id = ${id} for update`.execute(db);
  const status = rows[0]?.status;
  if (status !== 'failed') return status;
  await sql`update mails set status = 'queued' where id = ${id}`.execute(db);
  await ctx.jobs.enqueue(db, sendMailJob, { mailId: id });
  return status;
}
