import { deleteAccount } from '@officium/contract/auth';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { makePerson } from '#server/test/factories/accounts.ts';
import { eraseAgain } from './erasure.service.ts';

const test = await createTestApp();

describe('after a restore', () => {
  it('erases only the accounts that were erased since the backup', async () => {
    const [gone, stays] = [await makePerson(test), await makePerson(test)];
    expect((await test.call(deleteAccount, gone.as, { params: { email: gone.email } })).status).toBe(200);
    await test.drain();

    // Restores the account as it was in the backup.
    await sql`update users set email = ${gone.email}, name = 'Gone', email_proven_at = now(), erased_at = null
              where id = ${gone.id}`.execute(test.ctx.db);
    expect(await eraseAgain(test.ctx)).toBe(1);
    const left = await sql<{ id: string }>`select id from users where email is not null`.execute(test.ctx.db);
    expect(left.rows.map(({ id }) => id)).toEqual([stays.id]);
    const logged = await sql<{
      actor: string;
    }>`select actor from audit_log where object = ${gone.id} order by id`.execute(test.ctx.db);
    expect(logged.rows).toEqual([{ actor: gone.id }, { actor: 'system' }]);
    expect(await eraseAgain(test.ctx)).toBe(0);
  });
});
