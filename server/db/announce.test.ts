import { afterAll, describe, expect, it, vi } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { announce, type Announcement, carryAnnouncements } from './announce.ts';
import { inTransaction, openDatabase } from './client.ts';

const test = await createTestApp();
const carried: Announcement[] = [];
const other = openDatabase(test.databaseUrl, { max: 2, onError: () => {} });
carryAnnouncements(other.db, async (announcement) => void carried.push(announcement));
afterAll(() => other.close());

describe('what is announced', () => {
  it('is heard by every process when the transaction commits, and not when it does not', async () => {
    const heard: string[] = [];
    await vi.waitFor(() => expect(test.ctx.fanOut.isHearing()).toBe(true));
    test.ctx.fanOut.subscribe('officium_sessions', (payload) => heard.push(payload));
    const undone = inTransaction(test.ctx.db, async (trx) => {
      await announce(trx, 'officium_sessions', 'undone');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await inTransaction(test.ctx.db, async (trx) => {
      await announce(trx, 'officium_sessions', 'kept');
      await announce(test.ctx.db, 'officium_sessions', 'at once');
    });
    await vi.waitFor(() => expect(heard).toEqual(['at once', 'kept']));
  });

  it('goes another way when the pool has one, after the commit', async () => {
    const during: number[] = [];
    let tries = 0;
    await inTransaction(other.db, async (trx) => {
      tries += 1;
      await inTransaction(trx, (inner) => announce(inner, 'officium_sessions', `try ${tries}`));
      during.push(carried.length);
      if (tries === 1) throw Object.assign(new Error('lost to another'), { code: '40P01' });
    });
    expect(during).toEqual([0, 0]);
    expect(carried).toEqual([{ channel: 'officium_sessions', payload: 'try 2' }]);
    await announce(other.db, 'officium_news', 'without a transaction');
    expect(carried).toHaveLength(2);
  });

  it('stays untold when the transaction fails', async () => {
    const before = carried.length;
    const undone = inTransaction(other.db, async (trx) => {
      await announce(trx, 'officium_sessions', 'undone');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(carried).toHaveLength(before);
  });
});

describe('an ear that was cut off', () => {
  it('hears again, and says that something may have been missed', async () => {
    const gap = vi.fn();
    await vi.waitFor(() => expect(test.ctx.fanOut.isHearing()).toBe(true));
    test.ctx.fanOut.onGap(gap);
    await test.ctx.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'officium-listen%'",
    );
    await vi.waitFor(() => expect(test.ctx.fanOut.isHearing()).toBe(false));
    await vi.waitFor(() => expect(gap).toHaveBeenCalled(), { timeout: 10_000 });
    const heard = vi.fn();
    test.ctx.fanOut.subscribe('officium_news', heard);
    await announce(test.ctx.db, 'officium_news', 'after');
    await vi.waitFor(() => expect(heard).toHaveBeenCalledWith('after'));
  });
});
