import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { inTransaction, type Db } from './client.ts';

const test = await createTestApp();
const { db } = test.ctx;

/** Takes the lock of `first`, waits until the other has theirs, and asks for `second`. */
async function lockBoth(trx: Db, first: number, second: number, both: Promise<void>, here: () => void): Promise<void> {
  await sql`select pg_advisory_xact_lock(${first}::bigint)`.execute(trx);
  here();
  await both;
  await sql`select pg_advisory_xact_lock(${second}::bigint)`.execute(trx);
}

describe('inTransaction', () => {
  it('does the work again that lost to a deadlock', async () => {
    let arrived = 0;
    let tries = 0;
    const { promise: both, resolve } = Promise.withResolvers<void>();
    const here = () => void (++arrived === 2 && resolve());
    const work = (first: number, second: number) =>
      inTransaction(db, async (trx) => {
        tries += 1;
        await lockBoth(trx, first, second, both, here);
        return first;
      });
    expect(await Promise.all([work(1, 2), work(2, 1)])).toEqual([1, 2]);
    expect(tries).toBe(3);
  });

  it('gives up after three tries, and at once for any other reason', async () => {
    for (const [errcode, expected] of [
      ['40P01', 3],
      ['40001', 3],
      ['23505', 1],
    ] as const) {
      let tries = 0;
      const work = inTransaction(db, async (trx) => {
        tries += 1;
        await sql`do ${sql.lit(`begin raise exception using errcode = '${errcode}'; end`)}`.execute(trx);
      });
      await expect(work).rejects.toMatchObject({ code: errcode });
      expect(tries, errcode).toBe(expected);
    }
  });
});
