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

/** Many at once, sent when no single mail waits: nobody's code stands behind an upload of thousands. */
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
    insert into mails (id, user_id, recipient, kind, locale, subject, body_text, body_html, headers, expires_at)
    select m.id, m.user_id, m.recipient, m.kind, m.locale, m.subject, m.body_text, m.body_html, m.headers,
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
        expires_in: row.expiresInSeconds ?? null,
      })),
    )}::jsonb) as m (id uuid, user_id uuid, recipient text, kind text, locale text, subject text, body_text text,
      body_html text, headers jsonb, expires_in float8)`.execute(db);
  await ctx.jobs.enqueueAll(
    db,
    sendMailJob,
    rows.map((row) => ({ mailId: row.id })),
    { priority: -1, startAfterSeconds },
  );
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

/**
 * Sends one mail that still waits. Only a crash between the server's yes and our note of it can send it twice; a mail
 * whose code no longer works is not sent at all.
 */
export const sendMailJob = defineJob<{ mailId: string }>(
  'mail.send-mail',
  { retryLimit: 40, retryDelaySeconds: 5, retryDelayMaxSeconds: 3600, gentle: true },
  async (ctx, { mailId }) => {
    const { rows } = await sql<MailRow>`
      select id, recipient, subject, body_text, body_html, headers, coalesce(expires_at < now(), false) as expired
      from mails where id = ${mailId} and status = 'queued'`.execute(ctx.db);
    const mail = rows[0];
    if (!mail) return;
    const note = (status: string, error: string | null) =>
      sql`update mails set status = ${status}, last_error = ${error}, attempts = attempts + 1,
            sent_at = case when ${status} = 'sent' then now() end where id = ${mailId}`.execute(ctx.db);
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
    await note('sent', null);
  },
);
