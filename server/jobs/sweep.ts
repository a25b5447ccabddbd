import { sql } from 'kysely';
import { sweepOutsidePictures } from '../areas/assets/outside-picture.service.ts';
import { sweepExports } from '../areas/account/export.service.ts';
import { sweepImports } from '#server/areas/importing/folder-import.service.ts';
import type { Ctx } from '../ctx.ts';
import type { Db } from '../db/client.ts';
import { defineJob } from './define.ts';
import { SWEEPS, type Sweep } from './sweep-list.ts';

/** Rows a statement: far below the five seconds it may take, also where deleting one takes others along. */
const BATCH = 1_000;
/** One table's backlog leaves the rest of the hour to the others. */
const LONGEST_MS = 2 * 60_000;
const MOST_COUNTED = 1_000_000;

/**
 * Removes what is over: the rows of `SWEEPS`, exports and imports of content, pictures of other hosts. Each batch is a
 * transaction of its own, and a failure keeps no other sweep from its turn; the job then fails with all of them.
 */
export const sweepJob = defineJob('platform.sweep', { cron: '17 * * * *' }, async (ctx) => {
  const failures: unknown[] = [];
  const attempt = async (target: string, sweep: () => Promise<void>) => {
    try {
      await sweep();
    } catch (error) {
      ctx.log.error({ err: error, target }, 'a sweep failed');
      failures.push(error);
    }
  };
  for (const sweep of SWEEPS) {
    let isDone = false;
    await attempt(sweep.table, async () => {
      isDone = await sweepRows(ctx, sweep);
    });
    await attempt(sweep.table, async () =>
      noteOverdue(ctx.db, sweep.table, isDone ? 0 : await countOverdue(ctx.db, sweep)),
    );
  }
  await attempt('exports', () => sweepExports(ctx));
  await attempt('imports', () => sweepImports(ctx));
  await attempt('outside pictures', () => sweepOutsidePictures(ctx));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} sweeps failed`);
});

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
