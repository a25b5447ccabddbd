// Raw SQL: the table and condition of a sweep vary, and rows are deleted by their physical place.
import { type Expression, expressionBuilder, type ExpressionBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import type { Ctx } from '../ctx.ts';
import { type Db, NOW } from '../db/client.ts';
import type { DB } from '../db/schema.ts';
import { defineJob, type Job } from './define.ts';

/** Expired rows of a table, which are deleted, or changed by `update`. */
export type Sweep = {
  table: keyof DB & string;
  isOver: Expression<SqlBool>;
  update: Record<string, unknown> | undefined;
};

/** Declares a sweep; its columns are checked against the schema. */
export function sweepOf<T extends keyof DB & string>(
  table: T,
  isOver: (eb: ExpressionBuilder<DB, T>) => Expression<SqlBool>,
  update?: Updateable<DB[T]>,
): Sweep {
  return { table, isOver: isOver(expressionBuilder<DB, T>()), update };
}

/** Rows per statement: far below the statement timeout, even with cascading deletes. */
const BATCH = 1_000;
/** A time limit per table, so that one backlog does not starve the others. */
const LONGEST_MS = 2 * 60_000;
const MOST_COUNTED = 1_000_000;

/**
 * Hourly removal of expired rows: those of `sweeps`, then what `others` do. Each batch is a transaction of its own, and
 * a failure does not stop the other sweeps; the job then fails with all of them.
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

/** Deletes all due rows; returns false when some are left. Locked rows wait for the next hour. */
async function sweepRows({ db }: Pick<Ctx, 'db'>, sweep: Sweep): Promise<boolean> {
  const end = Date.now() + LONGEST_MS;
  while (Date.now() < end) if ((await sweepBatch(db, sweep)) < BATCH) return true;
  return false;
}

async function sweepBatch(db: Db, { table, isOver, update }: Sweep): Promise<number> {
  const some = sql`array(select ctid from ${sql.table(table)} where ${isOver} limit ${BATCH} for update skip locked)`;
  const changes = Object.entries(update ?? {}).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const statement = update
    ? sql`update ${sql.table(table)} set ${sql.join(changes)} where ctid = any (${some})`
    : sql`delete from ${sql.table(table)} where ctid = any (${some})`;
  return Number((await statement.execute(db)).numAffectedRows ?? 0);
}

async function countOverdue(db: Db, { table, isOver }: Sweep): Promise<number> {
  const { rows } = await sql<{ overdue: number }>`
    select count(*)::int as overdue
    from (select from ${sql.table(table)} where ${isOver} limit ${MOST_COUNTED}) late`.execute(db);
  return rows[0]?.overdue ?? 0;
}

/** Stores for the metrics how many due rows a sweep left. */
export async function noteOverdue(db: Db, target: string, overdue: number): Promise<void> {
  await db
    .insertInto('sweeps')
    .values({ target, overdue })
    .onConflict((row) => row.column('target').doUpdateSet({ overdue, swept_at: NOW }))
    .execute();
}

/** The due rows that the last sweep left, by table; for metrics. */
export async function readOverdue(db: Db): Promise<{ target: string; overdue: number }[]> {
  return await db.selectFrom('sweeps').select(['target', 'overdue']).orderBy('target').execute();
}
