import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createTestApp } from '../test/app.ts';
import { watchQueries } from '../test/queries.ts';
import { inTransaction } from './client.ts';
import { createPageReads, PAGE_HEADER } from './page-reads.ts';

const { ctx } = await createTestApp();
const { pool } = ctx;
const watch = watchQueries(pool);

function openPage() {
  const reads = createPageReads();
  const { headers, close } = reads.open();
  return { reads, headers, close, db: reads.find(headers[PAGE_HEADER], pool)! };
}
const number = sql<{ n: number }>`select ${1}::int as n`;

describe('the reads of a page', () => {
  it('take one round trip when they are sent together, and keep their answers apart', async () => {
    const { db } = openPage();
    let answers: unknown;
    const { texts, trips } = await watch(async () => {
      answers = await Promise.all([1, 2, 3].map(async (n) => (await sql`select ${n}::int as n`.execute(db)).rows));
    });
    expect(answers).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
    expect([texts.length, trips]).toEqual([3, 1]);
  });

  it('ask the same once while it is under way', async () => {
    const { db } = openPage();
    let answers: { rows: unknown[] }[] = [];
    const { texts } = await watch(async () => {
      answers = await Promise.all([number.execute(db), number.execute(db), sql`select ${2}::int as n`.execute(db)]);
    });
    expect(answers.map(({ rows }) => rows)).toEqual([[{ n: 1 }], [{ n: 1 }], [{ n: 2 }]]);
    expect(answers[0]!.rows).not.toBe(answers[1]!.rows);
    expect(texts).toHaveLength(2);
    expect((await watch(async () => void (await number.execute(db)))).texts).toHaveLength(1);
  });

  it('write as often as they are asked to', async () => {
    const { db } = openPage();
    await sql`create table if not exists written (n int)`.execute(ctx.db);
    await Promise.all([1, 2].map(async () => await sql`insert into written values (${1})`.execute(db)));
    expect((await sql`select n from written`.execute(db)).rows).toHaveLength(2);
  });

  it('fail alone', async () => {
    const { db } = openPage();
    const [bad, good] = await Promise.allSettled([sql`select 1 / 0`.execute(db), number.execute(db)]);
    expect(bad.status).toBe('rejected');
    expect(good).toMatchObject({ value: { rows: [{ n: 1 }] } });
    expect((await number.execute(db)).rows).toEqual([{ n: 1 }]);
  });

  it('give their connection back, to statements that wait for each other again', async () => {
    const { db } = openPage();
    await Promise.all([number.execute(db), number.execute(db)]);
    expect(pool.idleCount).toBe(pool.totalCount);
    await Promise.all(Array.from({ length: 20 }, () => inTransaction(ctx.db, (trx) => number.execute(trx))));
    expect(pool.idleCount).toBe(pool.totalCount);
  });

  it('leave transactions a connection of their own', async () => {
    const { db } = openPage();
    const [, outside] = await Promise.all([
      inTransaction(db, async (trx) => {
        await sql`create temporary table held (n int) on commit drop`.execute(trx);
        await sql`select count(*) from held`.execute(trx);
      }),
      number.execute(db),
    ]);
    expect(outside.rows).toEqual([{ n: 1 }]);
    expect(pool.idleCount).toBe(pool.totalCount);
  });

  it('are prepared once they repeat, except those that return all columns or search', async () => {
    const { db } = openPage();
    for (const text of [
      sql`select ${1}::int as repeated`,
      sql`with t as (select u.* from (select ${1}::int as n) u) select n as repeated from t`,
      sql`select * from (select ${1}::int as repeated) t`,
      sql`select search_words(${'a'}) as repeated`,
    ])
      for (let n = 0; n < 25; n += 1) await text.execute(db);
    const { rows } = await sql<{ statement: string }>`
      select statement from pg_prepared_statements where statement like '%repeated%' and statement not like '%pg_prepared%'
      order by statement`.execute(db);
    expect(rows.map(({ statement }) => statement)).toEqual([
      expect.stringMatching(/^select \$1/),
      expect.stringMatching(/^with t/),
    ]);
  });

  it('are found by the ticket of an open page only', () => {
    const { reads, headers, close } = openPage();
    const ticket = headers[PAGE_HEADER]!;
    expect(reads.find(ticket, pool)).toBeDefined();
    expect(createPageReads().find(ticket, pool)).toBeUndefined();
    for (const other of [undefined, '', '1', `${ticket}0`, [ticket]]) expect(reads.find(other, pool)).toBeUndefined();
    close();
    expect(reads.find(ticket, pool)).toBeUndefined();
  });
});
