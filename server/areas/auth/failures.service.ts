import type { Ctx } from '#server/ctx.ts';
import { giveBack, takeLimit, type Limit } from '#server/limits/limits.ts';

export type FailureCount = {
  key: string;
  limit: Limit;
  /** Each running comparison holds an allowance. Taking turns keeps concurrent correct answers from exhausting it. */
  inTurn?: <T>(key: string, work: () => Promise<T>) => Promise<T>;
};

/**
 * Runs a comparison that could be guessed and counts failures: 429 when any count is exhausted. Allowances are taken
 * before comparing, so that parallel attempts count too, and returned unless the answer was wrong.
 */
export async function countFailures(
  ctx: Ctx,
  [count, ...others]: readonly FailureCount[],
  compare: () => Promise<boolean>,
): Promise<boolean> {
  if (!count) return await compare();
  const { key, limit, inTurn = (_, work) => work() } = count;
  return await inTurn(key, async () => {
    await takeLimit(ctx, key, limit);
    let isWrong = false;
    try {
      isWrong = !(await countFailures(ctx, others, compare));
      return !isWrong;
    } finally {
      if (!isWrong) await giveBack(ctx, key);
    }
  });
}
