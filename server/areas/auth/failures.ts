import type { Ctx } from '#server/ctx.ts';
import { giveBack, takeLimit, type Limit } from '#server/http/limits.ts';

export type FailureCount = {
  key: string;
  limit: Limit;
  /** What is being compared holds an allowance, so that right answers at once must not hold them all. */
  inTurn?: <T>(key: string, work: () => Promise<T>) => Promise<T>;
};

/**
 * Compares what may be guessed, counting failures: 429 when one of the counts has had too many. Each gives an allowance
 * before the comparison, so that many tries at once count too, and has it back unless the answer was wrong.
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
