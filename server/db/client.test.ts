import { sql } from 'kysely';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '#server/test/app.ts';
import { inTransaction, openDatabase, prepared, runPrepared, type Db } from './client.ts';

const test = await createTestApp();
const { db } = test.ctx;

/** Takes the lock `first`, waits until the other transaction has its own, and asks for `second`. */
async function lockBoth(trx: Db, first: number, second: number, both: Promise<void>, here: () => void): Promise<void> {
  await sql`select pg_advisory_xact_lock(${first}::bigint)`.execute(trx);
  here();
  await both;
  await sql`select pg_advisory_xact_lock(${second}::bigint)`.execute(trx);
}

describe('a statement outside a transaction', () => {
  /** A statement that fails `fails` times with `errcode`, then returns the number of its runs. */
  async function statement(name: string, errcode: string, fails: number) {
    const ref = sql.ref(name);
    await sql`create sequence ${ref}`.execute(db);
    await sql`
      create function ${ref}() returns bigint language plpgsql as ${sql.lit(`
        declare nth bigint := nextval('${name}');
        begin
          if nth <= ${fails} then raise exception using errcode = '${errcode}'; end if;
          return nth;
        end`)}`.execute(db);
    return sql<{ nth: number }>`select ${ref}() as nth`;
  }

  it('is retried after a deadlock, three runs in all', async () => {
    for (const errcode of ['40P01', '40001']) {
      const [lost, hopeless] = [`lost_${errcode.toLowerCase()}`, `hopeless_${errcode.toLowerCase()}`];
      expect((await (await statement(lost, errcode, 2)).execute(db)).rows).toEqual([{ nth: 3 }]);
      await expect((await statement(hopeless, errcode, 9)).execute(db)).rejects.toMatchObject({ code: errcode });
      const { rows } = await sql`select last_value as tries from ${sql.ref(hopeless)}`.execute(db);
      expect(rows).toEqual([{ tries: 3 }]);
    }
  });

  it('is not retried after other errors', async () => {
    const doubled = await statement('doubled', '23505', 1);
    await expect(doubled.execute(db)).rejects.toMatchObject({ code: '23505' });
    expect((await doubled.execute(db)).rows).toEqual([{ nth: 2 }]);
  });
});

describe('openDatabase', () => {
  it('reports a lost connection to its user only, and the process continues', async () => {
    const acquired = new Promise<pg.PoolClient>((resolve) => test.ctx.pool.once('acquire', resolve));
    const lost = db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      const client = await acquired;
      const ended = new Promise((resolve) => client.once('end', () => resolve(undefined)));
      await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
      await ended; // no statement is running that could fail
      await sql`select 1`.execute(trx);
    });
    await expect(lost).rejects.toThrow(/connection/i);
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
  });
});

describe('runPrepared', () => {
  it('prepares a text once per connection, whatever its values', async () => {
    const ask = (trx: Db, n: number) => runPrepared(trx, sql<{ twice: number }>`select 2 * ${n}::int as twice`);
    await inTransaction(db, async (trx) => {
      expect(await ask(trx, 2)).toEqual([{ twice: 4 }]);
      expect(await ask(trx, 3)).toEqual([{ twice: 6 }]);
      const { rows } = await sql<{ times: number }>`
        select (generic_plans + custom_plans)::int as times from pg_prepared_statements
        where statement = 'select 2 * $1::int as twice'`.execute(trx);
      expect(rows).toEqual([{ times: 2 }]);
    });
  });
});

describe('prepared', () => {
  it('builds the text once, and prepares it on each connection it runs on', async () => {
    let times = 0;
    const threefold = prepared<{ threefold: number }>(() => {
      times += 1;
      return sql<{ threefold: number }>`select 3 * ${sql.raw('$1')}::int as threefold`;
    });
    await inTransaction(db, async (trx) => {
      expect(await threefold(trx, [2])).toEqual([{ threefold: 6 }]);
      expect(await threefold(trx, [3])).toEqual([{ threefold: 9 }]);
      const { rows } = await sql<{ times: number }>`
        select (generic_plans + custom_plans)::int as times from pg_prepared_statements
        where statement = 'select 3 * $1::int as threefold'`.execute(trx);
      expect([rows, times]).toEqual([[{ times: 2 }], 1]);
    });
  });
});

describe('a statement', () => {
  it('waits at most three seconds for a lock', async () => {
    await inTransaction(db, async (trx) => {
      await sql`select pg_advisory_xact_lock(7)`.execute(trx);
      const waiting = sql`select pg_advisory_lock(7)`.execute(db);
      await expect(waiting).rejects.toMatchObject({ code: '55P03' });
    });
  });
});

describe('inTransaction', () => {
  it('retries a transaction after a deadlock', async () => {
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

  it('gives up after three runs, and at once on other errors', async () => {
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

describe('openDatabase', () => {
  it('fails waiting queries when the connection is lost, and reconnects', async () => {
    const database = openDatabase(test.databaseUrl, { onError: () => {} });
    try {
      await inTransaction(database.db, async (trx) => {
        const waiting = sql`select pg_sleep(60)`.execute(trx);
        setImmediate(() => database.cut());
        await expect(waiting).rejects.toThrow('Connection terminated unexpectedly');
      }).catch(() => {}); // its commit fails
      expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
    } finally {
      await database.close();
    }
  });

  it('shortens the wait for a connection after one was lost', async () => {
    const { db, pool, cut, close } = openDatabase(test.databaseUrl, {
      max: 1,
      connectionTimeoutMs: 3_600_000,
      onError: () => {},
    });
    try {
      await inTransaction(db, async (trx) => {
        setImmediate(cut);
        await sql`select pg_sleep(60)`.execute(trx);
      }).catch(() => {}); // cut
      const lent = await pool.connect();
      await expect(pool.query('select 1')).rejects.toThrow(/timeout/);
      lent.release();
      expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await close();
    }
  });

  it('prepares no named statement when that is turned off', async () => {
    for (const prepares of [true, false]) {
      const { pool, close } = openDatabase(test.databaseUrl, { max: 1, prepares, onError: () => {} });
      const asked = await pool.query({ name: 'named', text: 'select $1::int as one', values: [1] });
      expect(asked.rows).toEqual([{ one: 1 }]);
      const { rows } = await pool.query('select name from pg_prepared_statements');
      expect(rows).toEqual(prepares ? [{ name: 'named' }] : []);
      await close();
    }
  });

  it('sets the statement timeout, except through a pooler', async () => {
    for (const isPooled of [true, false]) {
      const { db, close } = openDatabase(test.databaseUrl, { isPooled, onError: () => {} });
      const { rows } = await sql`select current_setting('statement_timeout') as limit`.execute(db);
      expect(rows).toEqual([{ limit: isPooled ? '0' : '5s' }]);
      await close();
    }
  });
});
