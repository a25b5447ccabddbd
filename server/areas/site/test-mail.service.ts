import { setTimeout } from 'node:timers/promises';
import type { ReplyOf } from '@officium/contract/endpoint';
import type { Locale } from '@officium/contract/common';
import type { sendTestMail } from '@officium/contract/site-setup';
import type { UserViewer } from '#server/access/viewer.ts';
import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { newId } from '#server/db/client.ts';
import { renderMail } from '#server/mail/render.ts';

type Reply = ReplyOf<typeof sendTestMail>;

/** A mail server may be silent for longer, but an administrator waits for the page. */
const PATIENCE_MS = 20_000;
/** Some servers answer with a whole policy. */
const MAX_ANSWER = 500;

/** The part of nodemailer's errors that holds what the server said; `MailRefused` has it as its cause. */
type SmtpError = Error & { response?: string; responseCode?: number };

function toFailure(error: unknown): Pick<Reply, 'outcome' | 'answer'> {
  const { cause } = error as Error;
  const { response, responseCode, message } = (cause ?? error) as SmtpError; // thrown by the mailer
  const answer = (response ?? message).slice(0, MAX_ANSWER);
  return { outcome: responseCode === undefined ? 'unreachable' : 'refused', answer };
}

/** Sends a message to the viewer's own address, past the outbox, and says what the mail server answered. */
export async function tryMail(ctx: Ctx, viewer: UserViewer, locale: Locale): Promise<Reply> {
  const { email: to } = viewer;
  const link = new URL('/admin', ctx.config.publicUrl).href;
  const mail = renderMail({ kind: 'test', locale, link }, ctx.site.current());
  const stop = new AbortController();
  const silence = setTimeout(PATIENCE_MS, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`No answer within ${PATIENCE_MS / 1000} seconds`);
  });
  try {
    const answer = await Promise.race([ctx.mailer.send({ ...mail, id: newId(), to, headers: {} }), silence]);
    if (ctx.config.smtpUrl === undefined) return { to, outcome: 'stored', answer: null };
    return { to, outcome: 'accepted', answer: answer?.slice(0, MAX_ANSWER) ?? null };
  } catch (error) {
    return { to, ...toFailure(error) };
  } finally {
    silence.catch(() => {}); // aborted
    stop.abort();
  }
}

export async function recordTest(ctx: Ctx, viewer: UserViewer, { outcome }: Reply): Promise<void> {
  await recordAction(ctx.db, viewer, { action: 'admin.send-test-mail', object: viewer.id, detail: { outcome } });
}
