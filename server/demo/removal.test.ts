import { readDemoContent, removeDemoContent } from '@officium/contract/demo-content';
import { describe, expect, it } from 'vitest';
import { getUserByEmail } from '#server/areas/auth/user.service.ts';
import { newId } from '#server/db/client.ts';
import { firstStart } from '#server/process/first-start.ts';
import { type As, createTestApp } from '../test/app.ts';
import { makePerson } from '../test/factories/accounts.ts';
import { findAccounts } from './holdings.ts';
import { removeDemoJob } from './removal.ts';

describe('a demo that its own administrator removes', () => {
  it('keeps that account, the last administrator', async () => {
    const test = await createTestApp({ DEMO_CONTENT: 'on' });
    await firstStart(test.ctx, () => {});
    const { id } = (await getUserByEmail(test.ctx.db, 'admin@example.gov'))!; // loaded above
    const as = await test.signIn(id);
    const remove = async (by: As) => {
      await test.call(removeDemoContent, by, { body: { name: test.ctx.site.current().name } });
      await test.drain();
    };
    expect((await test.call(readDemoContent, as)).body).toMatchObject({ accounts: 23, keepsOwn: true });
    // Asked for by somebody whose account is gone: the last administrator acts, and stays.
    await removeDemoJob.run(test.ctx, { userId: newId() });
    expect(await findAccounts(test.ctx.db)).toEqual([id]);
    await remove(as);
    expect((await test.call(readDemoContent, as)).body).toMatchObject({
      state: 'removed',
      pieces: [],
      accounts: 0,
      keepsOwn: true,
    });
    expect(await findAccounts(test.ctx.db)).toEqual([id]);

    const successor = await makePerson(test, { role: 'administrator' });
    expect((await test.call(readDemoContent, successor.as)).body).toMatchObject({ state: 'removed', accounts: 1 });
    await remove(successor.as);
    expect(await findAccounts(test.ctx.db)).toEqual([]);
  });
});
