import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../ctx.ts';
import type { Db } from '../db/client.ts';
import type { DB } from '../db/schema.ts';
import { defineJob, type Job } from './define.ts';

/** Rows of a table that are over, which are deleted, or emptied by `update`. */
export type Sweep = { table: keyof DB & string; isOver: RawBuilder<unknown>; update?: RawBuilder<unknown> };

/** Rows a statement: far below the five seconds it may take, also where deleting one takes others along. */
const BATCH = 1_000;
/** One table's backlog leaves the rest of the hour to the others. */
const LONGEST_MS = 2 * 60_000;
const MOST_COUNTED = 1_000_000;

/**
 * Removes what is over each hour: the rows of `sweeps`, then what `others` do by themselves. Each batch of rows is a
 * transaction of its own, and a failure keeps no other sweep from its turn; the job then fails with all of them.
 */
export function defineSweepJob(
  sweeps: readonly Sweep[],
  others: Readonly<Record<string, (ctx: Ctx) => Promise<void>>>,
): Job {
  return defineJob('platform.sweep', { cron: '17 * * * *' }, async (ctx) => {
    const failures: unknown[] = [];
    const attempt = async (target: string, sweep: () => Promise<void>) => {
      try {
        await sweep();
      } catch (error) {
        ctx.log.error({ err: error, target }, 'a sweep failed');
        failures.push(error);
      }
    };
    for (const sweep of sweeps) {
      let isDone = false;
      await attempt(sweep.table, async () => {
        isDone = await sweepRows(ctx, sweep);
      });
      await attempt(sweep.table, async () =>
        noteOverdue(ctx.db, sweep.table, isDone ? 0 : await countOverdue(ctx.db, sweep)),
      );
    }
    for (const [target, sweep] of Object.entries(others)) await attempt(target, () => sweep(ctx));
    if (failures.length > 0) throw new AggregateError(failures, `failed sweeps: ${failures.length}`);
  });
}

/** Whether all that was due is gone, save rows that others hold: they wait for the next hour. */
async function sweepRows({ db }: Pick<Ctx, 'db'>, sweep: Sweep): Promise<boolean> {
  const end = Date.now() + LONGEST_MS;
  while (Date.now() < end) if ((await sweepBatch(db, sweep)) < BATCH) return true;
  return false;
}

async function sweepBatch(db: Db, { table, isOver, update }: Sweep): Promise<number> {
  const some = sql`array(select ctid from ${sql.table(table)} where ${isOver} limit ${BATCH} for update skip locked)`;
  const statement = update
    ? sql`update ${sql.table(table)} set ${update} where ctid = any (${some})`
    : sql`delete from ${sql.table(table)} where ctid = any (${some})`;
  return Number((await statement.execute(db)).numAffectedRows ?? 0);
}

async function countOverdue(db: Db, { table, isOver }: Sweep): Promise<number> {
  const { rows } = await sql<{ overdue: number }>`
    select count(*)::int as overdue
    from (select from ${sql.table(table)} where ${isOver} limit ${MOST_COUNTED}) late`.execute(db);
  return rows[0]?.overdue ?? 0;
}

async function noteOverdue(db: Db, target: string, overdue: number): Promise<void> {
  await db
    .insertInto('sweeps')
    .values({ target, overdue })
    .onConflict((row) => row.column('target').doUpdateSet({ overdue, swept_at: sql`now()` }))
    .execute();
}

/** Rows that were due and are still there, by table, as the last sweep found them; for metrics. */
export async function readOverdue(db: Db): Promise<{ target: string; overdue: number }[]> {
  return await db.selectFrom('sweeps').select(['target', 'overdue']).orderBy('target').execute();
}
