import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Ctx } from '../ctx.ts';
import { newId, type Db } from '../db/client.ts';
import { defineJob } from '../jobs/define.ts';
import { renderMail, wordMail, type MailContent } from './render.ts';
import { MailRefused } from './transport.ts';

export type Mail = MailContent & {
  to: string;
  userId?: string;
  /** Not sent after this moment: a code that no longer works helps nobody. */
  expiresInSeconds?: number;
  headers?: Record<string, string>;
  /** The invitation it carries, say: by this it can be taken back while it waits. */
  aboutId?: string;
};

/** Puts a mail into the outbox, in the caller's transaction. */
export async function queueMail(ctx: Ctx, db: Db, mail: Mail): Promise<void> {
  const id = newId();
  const { subject, text, html } = renderMail(mail);
  await sql`
    insert into mails (id, user_id, recipient, kind, locale, subject, body_text, body_html, headers, expires_at)
    values (${id}, ${mail.userId ?? null}, ${mail.to}, ${mail.kind}, ${mail.locale}, ${subject}, ${text}, ${html},
            ${JSON.stringify(mail.headers ?? {})},
            now() + make_interval(secs => ${mail.expiresInSeconds ?? null}::float8))`.execute(db);
  await ctx.jobs.enqueue(db, sendMailJob, { mailId: id });
}

/** Mails of one job, when there are many: as many jobs as mails would slow down the store of jobs. */
const PART_SIZE = 100;

/** Many at once, beside the mails that are sent one by one: nobody's code stands behind an upload of thousands. */
export async function queueMails(
  ctx: Ctx,
  db: Db,
  mails: readonly Mail[],
  { startAfterSeconds = 0 }: { startAfterSeconds?: number } = {},
): Promise<void> {
  if (mails.length === 0) return;
  const known = new Map<string, ReturnType<typeof wordMail>>();
  const rows = mails.map((mail) => {
    const key = JSON.stringify([mail.kind, mail.locale, mail.values]);
    const words = known.get(key) ?? wordMail(mail);
    known.set(key, words);
    return { id: newId(), ...mail, ...renderMail(mail, words) };
  });
  await sql`
    insert into mails
      (id, user_id, recipient, kind, locale, subject, body_text, body_html, headers, about_id, expires_at)
    select m.id, m.user_id, m.recipient, m.kind, m.locale, m.subject, m.body_text, m.body_html, m.headers, m.about_id,
      now() + make_interval(secs => m.expires_in)
    from jsonb_to_recordset(${JSON.stringify(
      rows.map((row) => ({
        id: row.id,
        user_id: row.userId ?? null,
        recipient: row.to,
        kind: row.kind,
        locale: row.locale,
        subject: row.subject,
        body_text: row.text,
        body_html: row.html,
        headers: row.headers ?? {},
        about_id: row.aboutId ?? null,
        expires_in: row.expiresInSeconds ?? null,
      })),
    )}::jsonb) as m (id uuid, user_id uuid, recipient text, kind text, locale text, subject text, body_text text,
      body_html text, headers jsonb, about_id uuid, expires_in float8)`.execute(db);
  const ids = rows.map((row) => row.id);
  const parts = Array.from({ length: Math.ceil(ids.length / PART_SIZE) }, (_, nth) => ({
    mailIds: ids.slice(nth * PART_SIZE, (nth + 1) * PART_SIZE),
  }));
  await ctx.jobs.enqueueAll(db, sendMailsJob, parts, { startAfterSeconds });
}

/** Mails about these that still wait are not sent. One that is being sent at this moment may still go. */
export async function cancelMails(db: Db, aboutIds: string[]): Promise<void> {
  if (aboutIds.length === 0) return;
  await sql`
    update mails set status = 'cancelled' where about_id = any(${aboutIds}::uuid[]) and status = 'queued'`.execute(db);
}

/** Which of the addresses were written a mail of this kind in the last so many hours. */
export async function findRecipients(
  db: Db,
  { kind, emails, hours }: { kind: string; emails: string[]; hours: number },
): Promise<Set<string>> {
  const { rows } = await sql<{ recipient: string }>`
    select distinct recipient from mails
    where recipient = any(${emails}::text[]) and kind = ${kind} and status <> 'cancelled'
      and created_at > now() - make_interval(hours => ${hours})`.execute(db);
  return new Set(rows.map((row) => row.recipient));
}

type MailRow = {
  id: string;
  recipient: string;
  subject: string;
  body_text: string;
  body_html: string;
  headers: Record<string, string>;
  expired: boolean;
};

/** A database that restarts is back by then, and a worker that is told to stop waits about as long for its jobs. */
const NOTE_AGAIN_AFTER_MS = [500, 1_000, 2_000, 4_000, 8_000];

async function persistently(work: () => Promise<unknown>): Promise<void> {
  for (const waitMs of NOTE_AGAIN_AFTER_MS) {
    try {
      return void (await work());
    } catch {
      await setTimeout(waitMs);
    }
  }
  await work();
}

/**
 * Sends a mail if it still waits. Only a crash between the server's yes and our note of it, or a database that is away
 * for long, can send it twice; a mail whose code no longer works is not sent at all. Throws when it is worth trying again.
 */
async function sendMail(ctx: Ctx, mailId: string): Promise<void> {
  const { rows } = await sql<MailRow>`
    select id, recipient, subject, body_text, body_html, headers, coalesce(expires_at < now(), false) as expired
    from mails where id = ${mailId} and status = 'queued'`.execute(ctx.db);
  const mail = rows[0];
  if (!mail) return;
  const note = (status: string, error: string | null) =>
    sql`update mails set status = ${status}, last_error = ${error}, attempts = attempts + 1,
          sent_at = case when ${status} = 'sent' then now() end where id = ${mailId} and status = 'queued'`.execute(
      ctx.db,
    );
  if (mail.expired) return void (await note('expired', null));
  try {
    await ctx.mailer.send({
      id: mail.id,
      to: mail.recipient,
      subject: mail.subject,
      text: mail.body_text,
      html: mail.body_html,
      headers: mail.headers,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    await note(error instanceof MailRefused ? 'failed' : 'queued', reason);
    if (error instanceof MailRefused) return;
    throw error;
  }
  await persistently(() => note('sent', null));
}

/** For more than a day, and never so seldom that much time goes by once the server is well again. */
const RETRIES = { retryLimit: 400, retryDelaySeconds: 5, retryDelayMaxSeconds: 300 } as const;

export const sendMailJob = defineJob<{ mailId: string }>('mail.send-mail', RETRIES, (ctx, { mailId }) =>
  sendMail(ctx, mailId),
);

/** So many at once, and no more often than this: people read meanwhile. */
const AT_ONCE = 4;
const PACE_MS = 15;

/**
 * Sends those of many mails that still wait. When none of a few goes the mail server is away: the others rest for a while,
 * and are tried before those few.
 */
export const sendMailsJob = defineJob<{ mailIds: string[] }>(
  'mail.send-mails',
  { ...RETRIES, inTurn: true },
  async (ctx, { mailIds }) => {
    const { rows } = await sql<{ id: string }>`
      select id from mails where id = any(${mailIds}::uuid[]) and status = 'queued'
      order by attempts, id`.execute(ctx.db);
    const failures: unknown[] = [];
    for (let first = 0; first < rows.length; first += AT_ONCE) {
      const few = rows.slice(first, first + AT_ONCE);
      const begun = performance.now();
      const outcomes = await Promise.allSettled(few.map(({ id }) => sendMail(ctx, id)));
      const failed = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
      failures.push(...failed);
      if (failed.length === few.length) break;
      await setTimeout(Math.max(0, PACE_MS - (performance.now() - begun)));
    }
    if (failures.length > 0) throw failures[0];
  },
);
