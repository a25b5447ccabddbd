import { readSession, signIn } from '@officium/contract/auth';
import { describe, expect, it } from 'vitest';
import { inTransaction } from '#server/db/client.ts';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { changeRole, ensureAdministrator } from './user.service.ts';

const ADMIN = { ADMIN_EMAIL: 'admin@example.gov', ADMIN_PASSWORD: 'correct horse' };
const test = await createTestApp(ADMIN);

describe('ensureAdministrator', () => {
  it('creates one administrator when many processes start at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => ensureAdministrator(test.ctx)));
    await ensureAdministrator(test.ctx);
    const rows = await test.ctx.db.selectFrom('users').select(['email', 'role']).execute();
    expect(rows).toEqual([{ email: 'admin@example.gov', role: 'administrator' }]);
    const answer = await test.call(signIn, undefined, {
      body: { email: 'admin@example.gov', password: 'correct horse' },
    });
    expect(answer.status).toBe(200);
  });
});

describe('changeRole', () => {
  it('ends the sessions of the changed account', async () => {
    const maya = await makePerson(test);
    await test.call(readSession, maya.as);
    await inTransaction(test.ctx.db, (trx) =>
      changeRole(test.ctx, trx, maya.id, { role: 'public-servant', by: 'system' }),
    );
    expect((await test.call(readSession, maya.as)).body.viewer.id).toBe(maya.id);
    await inTransaction(test.ctx.db, (trx) => changeRole(test.ctx, trx, maya.id, { role: 'inactive', by: 'system' }));
    await expect.poll(async () => (await test.call(readSession, maya.as)).body.viewer).toBeNull();
  });
});
