import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { queueMail } from '#server/mail/outbox.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { newId } from '#server/db/client.ts';
import { sweepJob } from './sweep.ts';

const test = await createTestApp();

it('sweeping takes old mails that went out, and no other', async () => {
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

it('sweeping takes notifications of more than 90 days, read or not, and what was told once', async () => {
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

it('sweeping takes translations of more than 90 days', async () => {
  const { db } = test.ctx;
  for (const days of [89, 91])
    await sql`
      insert into machine_translations (thing_id, part, source, target, engine, content_hash, translation, made_at)
      values (${newId()}, 'body', 'en', 'fr', 'a test', ${Buffer.from('x')}, ${`${days}`},
        now() - make_interval(days => ${days}))`.execute(db);
  await sweepJob.run(test.ctx, {});
  expect(await db.selectFrom('machine_translations').select('translation').execute()).toEqual([{ translation: '89' }]);
});
