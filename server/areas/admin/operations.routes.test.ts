import * as contract from '@officium/contract/operations';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { MailRefused } from '#server/mail/transport.ts';
import { queueMail } from '#server/mail/outbox.ts';
import { makeFailedJob, makeFailedMail } from '#server/test/authority/things.ts';
import { createTestApp, itInProcess, WEBHOOK_KEY } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { sweepJob } from '#server/app/sweep.ts';

const refused = new Set<string>();
const test = await createTestApp();
test.ctx.mailer = {
  async send({ to }) {
    if (refused.has(to)) throw new MailRefused(`Recipient command failed: 550 5.1.1 <${to}> no such mailbox`);
  },
  close() {},
};
const { db } = test.ctx;
const admin = await makePerson(test, { role: 'administrator' });

const queueOf = async (queue: string) => {
  const { body } = await test.call(contract.listJobQueues, admin.as);
  return contract.listJobQueues.replies[200]
    .strict()
    .parse(body)
    .queues.find((one) => one.queue === queue);
};
const failedOf = async (query: Record<string, string | number> = {}) => {
  const { body } = await test.call(contract.listFailedJobs, admin.as, { query });
  return contract.listFailedJobs.replies[200].strict().parse(body);
};

describe('jobs', () => {
  const queue = 'platform.remove-files';

  it('are listed by queue, and failed ones with reason, time and attempts', async () => {
    expect(await queueOf(queue)).toEqual({ queue, waiting: 0, running: 0, failed: 0, done: 0, oldestDueAt: null });
    const { id } = await makeFailedJob(test);
    expect(await queueOf(queue)).toMatchObject({ failed: 1, waiting: 0 });
    const { jobs, total } = await failedOf({ queue });
    expect(total).toBe(1);
    expect(jobs).toMatchObject([{ id, queue, error: 'EACCES', tries: 21 }]);
    expect(Date.parse(jobs[0]!.failedAt)).toBeGreaterThan(Date.parse(jobs[0]!.createdAt));
    expect(await failedOf({ queue: 'platform.sweep' })).toEqual({ jobs: [], total: 0 });
  });

  it('can be retried once each, one or all of a queue', async () => {
    await makeFailedJob(test);
    const { id } = await makeFailedJob(test);
    const retry = async (body: object) => await test.call(contract.retryJobs, admin.as, { body });
    const answers = await Promise.all([retry({ queue, id }), retry({ queue, id })]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    expect((await queueOf(queue))?.waiting).toBe(1);
    const left = (await failedOf({ queue })).total;
    expect((await retry({ queue })).body).toEqual({ retried: left });
    expect((await retry({ queue })).status).toBe(404);
    expect((await retry({ queue: 'no.such-queue' })).status).toBe(404);
    await test.drain();
    expect(await queueOf(queue)).toMatchObject({ waiting: 0, failed: 0, done: left + 1 });
  });

  it('fail after their last attempt and can then be retried', async () => {
    await test.ctx.jobs.enqueue(db, { name: 'mail.send-mail', options: {}, run: async () => {} }, { mailId: 'none' });
    await sql`update jobs.job set retry_limit = 0 where name = 'mail.send-mail' and data->>'mailId' = 'none'`.execute(
      db,
    );
    await expect(test.drain()).rejects.toThrow();
    const { jobs } = await failedOf({ queue: 'mail.send-mail' });
    expect(jobs).toMatchObject([{ error: '22P02', tries: 1 }]); // not a valid mail id
    expect((await test.call(contract.retryJobs, admin.as, { body: { queue: 'mail.send-mail' } })).status).toBe(200);
    await sql`delete from jobs.job where name = 'mail.send-mail'`.execute(db);
  });
});

describe('mails', () => {
  const list = async (status: string) => {
    const { body } = await test.call(contract.listMails, admin.as, { query: { status } });
    return contract.listMails.replies[200].strict().parse(body);
  };

  it('that were refused are listed with the mail server’s message and sent on retry', async () => {
    const to = 'wrong.address@example.gov';
    refused.add(to);
    await queueMail(test.ctx, db, {
      kind: 'sign_up_code',
      locale: 'en',
      to,
      link: 'http://localhost/',
      code: '123456',
    });
    await test.drain();
    const { mails, counts } = await list('failed');
    expect(counts.failed).toBe(1);
    expect(mails).toMatchObject([
      {
        kind: 'sign_up_code',
        recipient: 'w…@example.gov',
        attempts: 1,
        answer: 'Recipient command failed: 550 5.1.1 <w…@example.gov> no such mailbox',
        sentAt: null,
      },
    ]);
    expect(JSON.stringify(mails)).not.toMatch(/123456|wrong\.address/);
    const params = { id: mails[0]!.id };
    const retry = async () => await test.call(contract.retryMail, admin.as, { params });
    refused.clear();
    const answers = await Promise.all([retry(), retry()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await test.drain();
    expect((await list('sent')).mails).toMatchObject([{ ...params, status: 'sent', attempts: 2, answer: null }]);
    expect((await retry()).body.code).toBe('operations.mail_not_failed');
  });

  it('that were never queued return 404', async () => {
    expect((await test.call(contract.retryMail, admin.as, { params: { id: newId() } })).status).toBe(404);
  });

  itInProcess('are counted in the metrics', async () => {
    await makeFailedMail(test);
    const { body } = await test.send('GET', '/metrics');
    expect(body).toContain('officium_mails{status="failed"} 1');
    expect(body).toMatch(/officium_jobs\{state="failed"\} \d/);
    expect(body).toMatch(/officium_oldest_due_job_seconds \d/);
  });
});

describe('content platform events', () => {
  it('are stored with their outcome for 30 days', async () => {
    const tell = async (topic: string, version: number, id = 'told-1') =>
      await test.send('PATCH', '/api/content/entries/it/index', {
        headers: { 'x-webhook-key': WEBHOOK_KEY, 'x-contentful-topic': topic },
        body: { id, contentType: 'course', slug: 'told', version },
      });
    expect((await tell('ContentManagement.Entry.publish', 3)).status).toBe(200);
    await tell('ContentManagement.Entry.publish', 2);
    await tell('ContentManagement.Entry.delete', 2, 'told-2');
    await tell('ContentManagement.Asset.publish', 1);
    const list = async (query: Record<string, string> = {}) => {
      const { body } = await test.call(contract.listContentEvents, admin.as, { query });
      return contract.listContentEvents.replies[200].strict().parse(body);
    };
    const { events, total } = await list();
    expect(total).toBe(4);
    expect(events.map(({ entryId, version, outcome, reason }) => [entryId, version, outcome, reason])).toEqual([
      ['told-1', 1, 'ignored', 'topic'],
      ['told-2', 2, 'ignored', 'absent'],
      ['told-1', 2, 'ignored', 'older'],
      ['told-1', 3, 'applied', null],
    ]);
    expect((await list({ outcome: 'applied' })).total).toBe(1);
    // No content platform is configured in this test.
    expect(events.map(({ onlyIndex }) => onlyIndex)).toEqual([false, false, false, true]);
    expect((await list({ entry: 'told-2' })).events).toHaveLength(1);
    await sql`update content_events set received_at = now() - interval '31 days' where entry_id = 'told-1'`.execute(db);
    await sweepJob.run(test.ctx, {});
    expect((await list()).events.map(({ entryId }) => entryId)).toEqual(['told-2']);
  });
});

describe('readSystem', () => {
  it('returns versions, processes and storage', async () => {
    const { body } = await test.call(contract.readSystem, admin.as);
    const system = contract.readSystem.replies[200].strict().parse(body);
    expect(system.versions).toMatchObject({ product: '0.1.0', node: process.versions.node });
    expect(system.versions.lastMigration).toMatch(/^\d{4}_/);
    expect(system.processes).toContainEqual(expect.objectContaining({ role: 'all', pid: process.pid }));
    expect(system.database.tables).toHaveLength(10);
    expect(system.storage.map(({ kind }) => kind)).toEqual(['content', 'pictures', 'exports']);
  });
});
