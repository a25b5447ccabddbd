import { readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { newId } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { query } from '#server/test/cluster.ts';
import { cancelMails, queueMail, sendMailJob, sendMailsJob } from './outbox.ts';
import { createMailer, MailRefused } from './transport.ts';

const test = await createTestApp();
const mail = {
  kind: 'sign_up_code',
  locale: 'en',
  to: 'maya@example.gov',
  link: `http://localhost:3000/x?code=1&a=2&padding=${'x'.repeat(80)}`,
  code: '123456',
} as const;
const sink: string[] = [];
type Step = 'greeting' | 'password' | 'sender' | 'recipient' | 'content';
/** The step at which the mail server refuses, and its code. */
let no: { at: Step; code: number } | undefined;
const refusalOf = (step: Step) =>
  no?.at === step ? Object.assign(new Error(`no ${step}`), { responseCode: no.code }) : null;
let connections = 0;
const server = new SMTPServer({
  authOptional: true,
  allowInsecureAuth: true,
  onConnect: (_, done) => {
    connections += 1;
    done(refusalOf('greeting'));
  },
  disabledCommands: ['STARTTLS'],
  onAuth: ({ username }, _, done) => done(refusalOf('password'), { user: username }),
  onMailFrom: (_, __, done) => done(refusalOf('sender')),
  onRcptTo: (_, __, done) => done(refusalOf('recipient')),
  onData: (stream, _, done) => {
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      const refusal = refusalOf('content');
      if (!refusal) sink.push(Buffer.concat(parts).toString());
      done(refusal);
    });
  },
});
let smtpUrl = '';
beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`; // listening on TCP
});
afterAll(() => new Promise<void>((closed) => server.close(closed)));

const message = {
  id: newId(),
  to: 'maya@example.gov',
  subject: 'Zażółć',
  text: 'Salut',
  html: '<p>Salut</p>',
  headers: {},
};

describe('the outbox', () => {
  it.each([sendMailJob, sendMailsJob])('retries $name for a day, at intervals of at most five minutes', (job) => {
    const { retryLimit = 0, retryDelayMaxSeconds = Infinity } = job.options;
    expect(retryDelayMaxSeconds).toBeLessThanOrEqual(300);
    expect(retryLimit * retryDelayMaxSeconds).toBeGreaterThan(24 * 3600);
  });

  it('stores a mail only if the transaction commits', async () => {
    await test.ctx.db
      .transaction()
      .execute(async (trx) => {
        await queueMail(test.ctx, trx, { ...mail, to: 'nobody@example.gov' });
        throw new Error('undo');
      })
      .catch(() => {});
    expect(await test.mails('nobody@example.gov')).toEqual([]);
    expect(await test.drain()).toBe(0);
  });

  it('writes mails as .eml files when there is no mail server', async () => {
    await queueMail(test.ctx, test.ctx.db, { ...mail });
    expect(await test.drain()).toBe(1);
    const folder = join(test.ctx.config.dataDir, 'outbox');
    const [file] = await readdir(folder);
    const raw = await readFile(join(folder, file ?? ''), 'utf8');
    const parsed = await PostalMime.parse(raw);
    expect(parsed.to?.[0]?.address).toBe('maya@example.gov');
    expect(parsed.text).toMatch(/^123456$/m);
    // The link can be copied from the opened file.
    expect(raw).toContain(`\r\n${mail.link}\r\n`);
    expect(parsed.html).toContain('http://localhost:3000/x?code=1&#38;a=2');
    expect((await test.mails('maya@example.gov'))[0]?.status).toBe('sent');
  });

  it('neither sends a cancelled mail nor revives one that is cancelled while the server refuses it', async () => {
    const about = newId();
    const write = async () => {
      const id = newId();
      await sql`insert into mails (id, recipient, kind, locale, subject, body_text, body_html, about_id)
        values (${id}, 'cancelled@example.gov', 'test', 'en', 's', 't', 'h', ${about})`.execute(test.ctx.db);
      return id;
    };
    const early = await write();
    await cancelMails(test.ctx.db, [about]);
    const late = await write();
    const send = vi.fn(async () => {
      await cancelMails(test.ctx.db, [about]);
      throw new Error('later');
    });
    const ctx = { ...test.ctx, mailer: { send, close() {} } };
    await sendMailJob.run(ctx, { mailId: early });
    await expect(sendMailJob.run(ctx, { mailId: late })).rejects.toThrow('later');
    await sendMailJob.run(ctx, { mailId: late });
    expect(send).toHaveBeenCalledOnce();
    expect((await test.mails('cancelled@example.gov')).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
  });

  it('does not send an expired code', async () => {
    await queueMail(test.ctx, test.ctx.db, { ...mail, to: 'late@example.gov', expiresInSeconds: -1 });
    await test.drain();
    expect((await test.mails('late@example.gov'))[0]?.status).toBe('expired');
  });

  it('sends a mail once, even when the database restarts after the mail server accepted it', async () => {
    const adminUrl = inject('adminUrl');
    const name = new URL(test.databaseUrl).pathname.slice(1);
    const allow = (isAllowed: boolean) => query(adminUrl, `alter database ${name} with allow_connections ${isAllowed}`);
    const sent: string[] = [];
    using connects = vi.spyOn(test.ctx.pool, 'connect');
    const isRefused = () =>
      expect(connects.mock.settledResults).toContainEqual(expect.objectContaining({ type: 'rejected' }));
    let back: Promise<void> | undefined;
    const send = async ({ to }: { to: string }) => {
      sent.push(to);
      await allow(false);
      await query(adminUrl, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
      back = vi.waitFor(isRefused, { timeout: 20_000 }).then(() => allow(true));
    };
    const id = newId();
    await sql`insert into mails (id, recipient, kind, locale, subject, body_text, body_html)
              values (${id}, 'once@example.gov', 'test', 'en', 's', 't', 'h')`.execute(test.ctx.db);
    await sendMailJob.run({ ...test.ctx, mailer: { send, close() {} } }, { mailId: id });
    await back;
    expect(sent).toEqual(['once@example.gov']);
    expect((await test.mails('once@example.gov'))[0]?.status).toBe('sent');
  });
});

describe('SMTP', () => {
  it('delivers text and HTML in any script', async () => {
    const mailer = createMailer({ url: smtpUrl, from: 'Officium <no-reply@example.gov>', folder: '' });
    await mailer.send(message);
    const parsed = await PostalMime.parse(sink.at(-1) ?? '');
    expect(parsed).toMatchObject({ subject: 'Zażółć', from: { address: 'no-reply@example.gov' } });
    mailer.close();
  });

  it.each<{ at: Step; code: number; isFinal: boolean }>([
    { at: 'recipient', code: 550, isFinal: true },
    { at: 'recipient', code: 450, isFinal: false },
    { at: 'content', code: 554, isFinal: true },
    { at: 'content', code: 451, isFinal: false },
    // These would affect every mail, until a setting is corrected.
    { at: 'greeting', code: 554, isFinal: false },
    { at: 'password', code: 535, isFinal: false },
    { at: 'sender', code: 550, isFinal: false },
    { at: 'recipient', code: 530, isFinal: false },
  ])('classifies a refusal of the $at with $code: final is $isFinal', async ({ isFinal, ...refusal }) => {
    const url = smtpUrl.replace('//', '//officium:secret@');
    const mailer = createMailer({ url, from: 'no-reply@example.gov', folder: '' });
    no = refusal;
    const error: unknown = await mailer.send(message).catch((thrown: unknown) => thrown);
    no = undefined;
    expect(error).toBeInstanceOf(Error);
    expect(error instanceof MailRefused).toBe(isFinal);
    await mailer.send(message);
    mailer.close();
  });

  it('sends mails one after another over one connection, and over another once that was closed', async () => {
    const mailer = createMailer({ url: smtpUrl, from: 'no-reply@example.gov', folder: '' });
    const [before, taken] = [connections, sink.length];
    for (let nth = 0; nth < 5; nth++) await mailer.send(message);
    expect(connections - before).toBe(1);
    for (const { _socket } of server.connections) _socket.destroy();
    await mailer.send(message);
    expect(connections - before).toBe(2);
    expect(sink.length - taken).toBe(6);
    mailer.close();
  });
});
