import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { queueMail } from '#server/mail/outbox.ts';
import { createTestApp } from '#server/test/app.ts';
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
