import { recordAction } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { inTransaction } from '#server/db/client.ts';
import { erasureKey } from './erasure.jobs.ts';
import { findUserIds } from './user.repository.ts';
import { eraseUser } from './user.service.ts';

const PAGE = 200;

/**
 * Repeats erasures after a restore from backup: erases every account that file storage records as erased. Returns their
 * number. Safe to interrupt and repeat.
 */
export async function eraseAgain(ctx: Ctx): Promise<number> {
  let erased = 0;
  for (let after: string | undefined; ;) {
    const ids = await findUserIds(ctx.db, { after, limit: PAGE });
    const noted = await Promise.all(ids.map(async (id) => await ctx.files.exists(erasureKey(id))));
    for (const id of ids.filter((_, at) => noted[at])) {
      await inTransaction(ctx.db, async (trx) => {
        if (!(await eraseUser(ctx, trx, id))) return;
        await recordAction(trx, 'system', { action: 'auth.delete-account', object: id, detail: { isAgain: true } });
        erased += 1;
      });
    }
    after = ids.at(-1);
    if (ids.length < PAGE) return erased;
  }
}
