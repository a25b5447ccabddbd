import { afterAll, describe, expect, it, vi } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { announce, type Announcement, carryAnnouncements } from './announce.ts';
import { inTransaction, openDatabase } from './client.ts';

const test = await createTestApp();
const carried: Announcement[] = [];
const other = openDatabase(test.databaseUrl, { max: 2, onError: () => {} });
carryAnnouncements(other.db, async (announcement) => void carried.push(announcement));
afterAll(() => other.close());

describe('an announcement', () => {
  it('reaches every process when the transaction commits, and none when it rolls back', async () => {
    const received: string[] = [];
    await vi.waitFor(() => expect(test.ctx.fanOut.isReceiving()).toBe(true));
    test.ctx.fanOut.subscribe('officium_sessions', (payload) => received.push(payload));
    const undone = inTransaction(test.ctx.db, async (trx) => {
      await announce(trx, 'officium_sessions', 'undone');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await inTransaction(test.ctx.db, async (trx) => {
      await announce(trx, 'officium_sessions', 'kept');
      await announce(test.ctx.db, 'officium_sessions', 'at once');
    });
    await vi.waitFor(() => expect(received).toEqual(['at once', 'kept']));
  });

  it("uses the pool's carrier, if there is one, after the commit", async () => {
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

  it('is dropped when the transaction fails', async () => {
    const before = carried.length;
    const undone = inTransaction(other.db, async (trx) => {
      await announce(trx, 'officium_sessions', 'undone');
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(carried).toHaveLength(before);
  });
});

describe('a listener that lost its connection', () => {
  it('reconnects and reports that messages may have been missed', async () => {
    const gap = vi.fn();
    await vi.waitFor(() => expect(test.ctx.fanOut.isReceiving()).toBe(true));
    test.ctx.fanOut.onGap(gap);
    await test.ctx.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'officium-listen%'",
    );
    await vi.waitFor(() => expect(test.ctx.fanOut.isReceiving()).toBe(false));
    await vi.waitFor(() => expect(gap).toHaveBeenCalled(), { timeout: 10_000 });
    const received = vi.fn();
    test.ctx.fanOut.subscribe('officium_news', received);
    await announce(test.ctx.db, 'officium_news', 'after');
    await vi.waitFor(() => expect(received).toHaveBeenCalledWith('after'));
  });
});
