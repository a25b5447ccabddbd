import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { queueMail } from '#server/mail/outbox.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { inTransaction, newId } from '#server/db/client.ts';
import { readOverdue } from '#server/jobs/sweep.ts';
import { sweepJob } from './sweep.ts';

const test = await createTestApp();

it('sweeping deletes old sent mails only', async () => {
  const { ctx } = test;
  for (const to of ['old@example.gov', 'waiting@example.gov', 'new@example.gov'])
    await queueMail(ctx, ctx.db, { kind: 'account_exists', locale: 'en', to, link: 'http://localhost:3000/login' });
  await sql`update mails set status = 'sent' where recipient <> 'waiting@example.gov'`.execute(ctx.db);
  await sql`update mails set created_at = now() - interval '31 days' where recipient <> 'new@example.gov'`.execute(
    ctx.db,
  );
  await sweepJob.run(ctx, {});
  expect((await test.mails()).map(({ recipient }) => recipient)).toEqual(['waiting@example.gov', 'new@example.gov']);
});

it('sweeping deletes notifications older than 90 days, read or not, with their claims', async () => {
  const { db } = test.ctx;
  const person = await makePerson(test);
  for (const days of [89, 91]) {
    const at = new Date(Date.now() - days * 86_400_000);
    await db
      .insertInto('notifications')
      .values({ id: newId(), user_id: person.id, event: 'reply', object_id: newId(), updated_at: at })
      .execute();
    await db
      .insertInto('notification_claims')
      .values({ name: `${days}`, created_at: at })
      .execute();
  }
  await sweepJob.run(test.ctx, {});
  expect(await db.selectFrom('notifications').select('id').execute()).toHaveLength(1);
  expect(await db.selectFrom('notification_claims').select('name').execute()).toEqual([{ name: '89' }]);
});

it('sweeping deletes translations older than 90 days', async () => {
  const { db } = test.ctx;
  for (const days of [89, 91])
    await sql`
      insert into machine_translations (thing_id, part, source, target, engine, content_hash, translation, made_at)
      values (${newId()}, 'body', 'en', 'fr', 'a test', ${Buffer.from('x')}, ${`${days}`},
        now() - make_interval(days => ${days}))`.execute(db);
  await sweepJob.run(test.ctx, {});
  expect(await db.selectFrom('machine_translations').select('translation').execute()).toEqual([{ translation: '89' }]);
});

describe('a backlog', () => {
  const makeSentMails = async (count: number) =>
    await sql`
      insert into mails (id, kind, locale, recipient, subject, body_text, body_html, status, created_at)
      select gen_random_uuid(), 'account_exists', 'en', 'old@example.gov', '', '', '', 'sent', now() - interval '31 days'
      from generate_series(1, ${count})`.execute(test.ctx.db);
  const countMails = async () =>
    Number((await sql<{ n: number }>`select count(*) n from mails where subject = ''`.execute(test.ctx.db)).rows[0]?.n);
  const overdue = async () =>
    Object.fromEntries((await readOverdue(test.ctx.db)).map(({ target, overdue }) => [target, overdue]));

  it('of thousands of rows is swept in one run', async () => {
    await makeSentMails(2_500);
    await sweepJob.run(test.ctx, {});
    expect(await countMails()).toBe(0);
    expect(await overdue()).toMatchObject({ mails: 0, notifications: 0 });
  });

  it('that cannot be swept does not block other tables, and is counted', async () => {
    const { db } = test.ctx;
    await makeSentMails(3);
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`.execute(
      db,
    );
    await sql`create trigger refuse before delete on mails for each row execute function refuse()`.execute(db);
    await db
      .insertInto('notification_claims')
      .values({ name: 'old', created_at: new Date(0) })
      .execute();
    await expect(sweepJob.run(test.ctx, {})).rejects.toThrow('failed sweeps: 1');
    const claims = await db.selectFrom('notification_claims').select('name').where('name', '=', 'old').execute();
    expect(claims).toEqual([]);
    expect(await overdue()).toMatchObject({ mails: 3, notification_claims: 0 });
    await sql`drop trigger refuse on mails`.execute(db);
    await sweepJob.run(test.ctx, {});
    expect(await overdue()).toMatchObject({ mails: 0 });
  });

  it('skips locked rows without waiting, and deletes them the next time', async () => {
    await makeSentMails(2);
    await inTransaction(test.ctx.db, async (trx) => {
      await sql`select from mails where subject = '' limit 1 for update`.execute(trx);
      await sweepJob.run(test.ctx, {});
    });
    expect(await countMails()).toBe(1);
  });
});
