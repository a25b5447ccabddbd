import { setTimeout } from 'node:timers/promises';
import { toOffered } from '@officium/i18n/negotiate';
import { type Selectable, sql } from 'kysely';
import type { Ctx } from '../ctx.ts';
import { newId, NOW, type Db } from '../db/client.ts';
import type { Mails } from '../db/schema.ts';
import { defineJob } from '../jobs/define.ts';
import { renderMail, wordMail, type MailContent } from './render.ts';
import { MailRefused } from './transport.ts';

export type Mail = MailContent & {
  to: string;
  userId?: string;
  /** Not sent after this time, since an expired code is useless. */
  expiresInSeconds?: number;
  headers?: Record<string, string>;
  /** The id of the object the mail is about, such as an invitation; a waiting mail can be cancelled by it. */
  aboutId?: string;
};

/** Puts a mail into the outbox, in the caller's transaction. */
export async function queueMail(ctx: Ctx, db: Db, given: Mail): Promise<void> {
  const id = newId();
  const site = ctx.site.current();
  const mail = { ...given, locale: toOffered(given.locale, site) };
  const { subject, text, html } = renderMail(mail, site);
  const { expiresInSeconds: seconds } = mail;
  await db
    .insertInto('mails')
    .values({
      id,
      user_id: mail.userId ?? null,
      recipient: mail.to,
      kind: mail.kind,
      locale: mail.locale,
      subject,
      body_text: text,
      body_html: html,
      headers: JSON.stringify(mail.headers ?? {}),
      expires_at: seconds === undefined ? null : sql<Date>`now() + make_interval(secs => ${seconds}::float8)`,
    })
    .execute();
  await ctx.jobs.enqueue(db, sendMailJob, { mailId: id });
}

/** Mails per job, when there are many: one job per mail would slow down the job store. */
const PART_SIZE = 100;

const GIVEN_COLUMNS = [
  'id',
  'user_id',
  'recipient',
  'kind',
  'locale',
  'subject',
  'body_text',
  'body_html',
  'headers',
  'about_id',
] as const;

/** Queues many mails in a queue of their own, so that no sign-in code waits behind an upload of thousands. */
export async function queueMails(
  ctx: Ctx,
  db: Db,
  mails: readonly Mail[],
  { startAfterSeconds = 0 }: { startAfterSeconds?: number } = {},
): Promise<void> {
  if (mails.length === 0) return;
  const known = new Map<string, ReturnType<typeof wordMail>>();
  const site = ctx.site.current();
  const rows = mails.map((given) => {
    const mail = { ...given, locale: toOffered(given.locale, site) };
    const key = JSON.stringify([mail.kind, mail.locale, mail.values]);
    const words = known.get(key) ?? wordMail(mail, site);
    known.set(key, words);
    return { id: newId(), ...mail, ...renderMail(mail, site, words) };
  });
  const given = JSON.stringify(
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
  );
  await db
    .insertInto('mails')
    .columns([...GIVEN_COLUMNS, 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom(
          sql<Pick<Selectable<Mails>, (typeof GIVEN_COLUMNS)[number]> & { expires_in: number | null }>`
            jsonb_to_recordset(${given}::jsonb)`.as<'m'>(sql`m (id uuid, user_id uuid, recipient text, kind text,
              locale text, subject text, body_text text, body_html text, headers jsonb, about_id uuid,
              expires_in float8)`),
        )
        .select(GIVEN_COLUMNS)
        .select(({ ref }) => sql<Date | null>`now() + make_interval(secs => ${ref('m.expires_in')})`.as('expires_at')),
    )
    .execute();
  const ids = rows.map((row) => row.id);
  const parts = Array.from({ length: Math.ceil(ids.length / PART_SIZE) }, (_, nth) => ({
    mailIds: ids.slice(nth * PART_SIZE, (nth + 1) * PART_SIZE),
  }));
  await ctx.jobs.enqueueAll(db, sendMailsJob, parts, { startAfterSeconds });
}

/** Cancels waiting mails about these objects. A mail that is being sent may still be delivered, and then counts as sent. */
export async function cancelMails(db: Db, aboutIds: string[]): Promise<void> {
  if (aboutIds.length === 0) return;
  await db
    .updateTable('mails')
    .set({ status: 'cancelled' })
    .where('about_id', '=', (eb) => eb.fn.any(eb.val(aboutIds)))
    .where('status', '=', 'queued')
    .execute();
}

/**
 * The addresses that got mails of this kind, at least so many, within the last `hours`. A cancelled mail counts once its
 * sending has begun: otherwise whoever cancels it while it is being sent could have any number delivered.
 */
export async function findRecipients(
  db: Db,
  { kind, emails, hours, atLeast = 1 }: { kind: string; emails: string[]; hours: number; atLeast?: number },
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('mails')
    .select('recipient')
    .where('recipient', '=', (eb) => eb.fn.any(eb.val(emails)))
    .where('kind', '=', kind)
    .where((eb) => eb.or([eb('status', '<>', 'cancelled'), eb('attempts', '>', 0)]))
    .where('created_at', '>', sql<Date>`now() - make_interval(hours => ${hours})`)
    .groupBy('recipient')
    .having((eb) => eb.fn.countAll(), '>=', atLeast)
    .execute();
  return new Set(rows.map((row) => row.recipient));
}

/** The delays cover a database restart, and are about as long as a stopping worker waits for its jobs. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000];

async function withRetries(work: () => Promise<unknown>): Promise<void> {
  for (const waitMs of RETRY_DELAYS_MS) {
    try {
      return void (await work());
    } catch {
      await setTimeout(waitMs);
    }
  }
  await work();
}

/**
 * Sends a mail that is still waiting. It can be sent twice only after a crash between the server's acceptance and our
 * record, or a long database outage; an expired code is not sent at all. Throws when a retry makes sense.
 */
async function sendMail(ctx: Ctx, mailId: string): Promise<void> {
  // Counted before it is sent, so that cancelling it meanwhile does not hide it from `findRecipients`.
  const mail = await ctx.db
    .updateTable('mails')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', mailId)
    .where('status', '=', 'queued')
    .returning(['id', 'recipient', 'subject', 'body_text', 'body_html', 'headers'])
    .returning((eb) => eb.fn.coalesce(eb('expires_at', '<', NOW), eb.lit(false)).as('expired'))
    .$narrowType<{ headers: Record<string, string> }>()
    .executeTakeFirst();
  if (!mail) return;
  const record = (status: 'expired' | 'failed' | 'queued' | 'sent', error: string | null) =>
    ctx.db
      .updateTable('mails')
      .set({ status, last_error: error, sent_at: status === 'sent' ? NOW : null })
      .where('id', '=', mailId)
      .where('status', 'in', status === 'sent' ? ['queued', 'cancelled'] : ['queued'])
      .execute();
  if (mail.expired) return void (await record('expired', null));
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
    await record(error instanceof MailRefused ? 'failed' : 'queued', reason);
    if (error instanceof MailRefused) return;
    throw error;
  }
  await withRetries(() => record('sent', null));
}

/** Retries for more than a day, at short intervals, so that mails go soon after the server recovers. */
const RETRIES = { retryLimit: 400, retryDelaySeconds: 5, retryDelayMaxSeconds: 300 } as const;

export const sendMailJob = defineJob<{ mailId: string }>('mail.send-mail', RETRIES, (ctx, { mailId }) =>
  sendMail(ctx, mailId),
);

/** Concurrency and pace of mass mails, which leave capacity for requests. */
const AT_ONCE = 4;
const PACE_MS = 15;

/**
 * Sends the waiting ones of many mails. When none of the first few succeeds, the mail server is unavailable: the others
 * wait, and are tried before those few the next time.
 */
export const sendMailsJob = defineJob<{ mailIds: string[] }>(
  'mail.send-mails',
  { ...RETRIES, inTurn: true },
  async (ctx, { mailIds }) => {
    const rows = await ctx.db
      .selectFrom('mails')
      .select('id')
      .where('id', '=', (eb) => eb.fn.any(eb.val(mailIds)))
      .where('status', '=', 'queued')
      .orderBy('attempts')
      .orderBy('id')
      .execute();
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
