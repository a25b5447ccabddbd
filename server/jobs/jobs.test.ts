import { sql } from 'kysely';
import { PgBoss } from 'pg-boss';
import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '#server/db/client.ts';
import { queueMail, queueMails, sendMailJob, sendMailsJob } from '#server/mail/outbox.ts';
import { createTestApp } from '#server/test/app.ts';
import { openJobs, prepareJobs } from './jobs.ts';
import { requeueOrphans } from './orphans.ts';
import { JOBS } from '#server/app/jobs.ts';

const test = await createTestApp();
const worker = await openJobs(test.databaseUrl, test.ctx.log, { worker: true, kinds: JOBS });
afterAll(() => worker.stop());

describe('a worker', () => {
  it('runs jobs of committed transactions soon, and the good ones of a batch despite a bad one', async () => {
    const sent: string[] = [];
    const ctx = {
      ...test.ctx,
      mailer: {
        async send({ to }: { to: string }) {
          if (to.startsWith('bad')) throw new Error(`busy: ${to}`);
          sent.push(to);
        },
        close() {},
      },
    };
    await worker.work(ctx);
    for (const to of ['one@example.gov', 'bad@example.gov', 'two@example.gov'])
      await test.ctx.db
        .transaction()
        .execute((trx) =>
          queueMail(test.ctx, trx, { kind: 'sign_up_code', locale: 'en', to, link: 'http://localhost/' }),
        );
    await expect.poll(() => sent.toSorted(), { timeout: 10_000 }).toEqual(['one@example.gov', 'two@example.gov']);
    const status = () =>
      test.mails().then((mails) => mails.map(({ recipient, status }) => `${recipient} ${status}`).toSorted());
    await expect
      .poll(status, { timeout: 5_000 })
      .toEqual(['bad@example.gov queued', 'one@example.gov sent', 'two@example.gov sent']);
    // The error contains an address, which no job may store when its owner is erased.
    const kept = () =>
      sql<{ output: object }>`
        select output from jobs.job where name = ${sendMailJob.name} and output is not null and output::text <> '{}'`
        .execute(test.ctx.db)
        .then(({ rows }) => rows.map(({ output }) => output));
    await expect.poll(kept, { timeout: 5_000 }).toEqual([{ reason: 'Error' }]);
  });

  it('runs jobs of a dead worker at once, and lets failed ones wait', async () => {
    const [left, failed] = [newId(), newId()];
    await sql`insert into jobs.job
        (id, name, state, retry_limit, retry_count, retry_delay, retry_backoff, start_after, heartbeat_on, heartbeat_seconds, output)
      values (${left}, ${sendMailJob.name}, 'active', 20, 9, 2, true, now(), now() - interval '1 minute', 30, null),
        (${failed}, ${sendMailJob.name}, 'retry', 20, 9, 2, true, now() + interval '1 hour', null, 30, '{"reason":"Error"}')`.execute(
      test.ctx.db,
    );
    const store = new PgBoss({ connectionString: test.databaseUrl, schema: 'jobs', supervise: false, migrate: false });
    await store.start();
    await store.supervise(sendMailJob.name);
    await store.stop({ graceful: false });
    // In one transaction: the worker of these tests would take the due jobs.
    const due = await test.ctx.db.transaction().execute(async (trx) => {
      await requeueOrphans(trx, [sendMailJob.name]);
      const { rows } = await sql<{ id: string; isDue: boolean }>`
        delete from jobs.job where id in (${left}, ${failed}) returning id, start_after <= now() as "isDue"`.execute(
        trx,
      );
      return new Map(rows.map(({ id, isDue }) => [id, isDue]));
    });
    expect([due.get(left), due.get(failed)]).toEqual([true, false]);
  });

  it('may take hours for a batch, in queues of an earlier release too', async () => {
    const queues = JOBS.map(({ name }) => name);
    await sql`update jobs.queue set expire_seconds = 900`.execute(test.ctx.db);
    await prepareJobs(test.databaseUrl, JOBS);
    const { rows } = await sql<{ hours: number }>`
      select distinct expire_seconds / 3600 as hours from jobs.queue where name = any(${queues})`.execute(test.ctx.db);
    expect(rows).toEqual([{ hours: 6 }]);
  });

  it('gives a job that runs twice one effect', async () => {
    const sent: string[] = [];
    const ctx = { ...test.ctx, mailer: { send: async ({ to }: { to: string }) => void sent.push(to), close() {} } };
    const id = newId();
    await sql`insert into mails (id, recipient, kind, locale, subject, body_text, body_html)
              values (${id}, 'twice@example.gov', 'test', 'en', 's', 't', 'h')`.execute(test.ctx.db);
    await sendMailJob.run(ctx, { mailId: id });
    await sendMailJob.run(ctx, { mailId: id });
    expect(sent).toEqual(['twice@example.gov']);
  });

  describe('with many mails', () => {
    const queue = async (...to: string[]) => {
      await sql`delete from mails`.execute(test.ctx.db);
      const mails = to.map(
        (name) =>
          ({ kind: 'sign_up_code', locale: 'en', to: `${name}@example.gov`, link: 'http://localhost/' }) as const,
      );
      await test.ctx.db.transaction().execute((trx) => queueMails(test.ctx, trx, mails, { startAfterSeconds: 3600 }));
      const { rows } = await sql<{ data: { mailIds: string[] } }>`
        select data from jobs.job where name = ${sendMailsJob.name} order by created_on desc limit 1`.execute(
        test.ctx.db,
      );
      return rows[0]!.data;
    };
    const waiting = () =>
      test
        .mails()
        .then((mails) =>
          mails.filter(({ status }) => status === 'queued').map(({ recipient }) => recipient.split('@')[0]),
        )
        .then((names) => names.toSorted());

    it('sends all that can be sent now, and the others later', async () => {
      const sent: string[] = [];
      let isBusy = true;
      const send = async ({ to }: { to: string }) => {
        if (isBusy && to.startsWith('later')) throw new Error('busy');
        sent.push(to.split('@')[0]!);
      };
      const ctx = { ...test.ctx, mailer: { send, close() {} } };
      const data = await queue('a', 'later-1', 'b', 'c', 'd', 'later-2', 'e');
      expect(data.mailIds).toHaveLength(7);
      await expect(sendMailsJob.run(ctx, data)).rejects.toThrow('busy');
      expect(sent.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(await waiting()).toEqual(['later-1', 'later-2']);
      isBusy = false;
      await sendMailsJob.run(ctx, data);
      await sendMailsJob.run(ctx, data);
      expect(sent.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'later-1', 'later-2']);
    });

    it('tries an unavailable server a few times only, each time with other mails', async () => {
      const asked: string[] = [];
      const send = async ({ to }: { to: string }) => {
        asked.push(to);
        throw new Error('away');
      };
      const ctx = { ...test.ctx, mailer: { send, close() {} } };
      const data = await queue(...Array.from({ length: 9 }, (_, nth) => `person-${nth}`));
      await expect(sendMailsJob.run(ctx, data)).rejects.toThrow('away');
      expect(asked).toHaveLength(4);
      await expect(sendMailsJob.run(ctx, data)).rejects.toThrow('away');
      expect(new Set(asked).size).toBe(8);
      expect(await waiting()).toHaveLength(9);
    });
  });
});
