import { AppError } from '#server/errors.ts';

const RETRY_SECONDS = 10;

/** Limits how many long requests of a caller this process serves at the same time. */
export type AtOnce = { run<Result>(caller: string, work: () => Promise<Result>): Promise<Result> };

/** Throws 429 above `max`, before the work begins. */
export function createAtOnce(max: number): AtOnce {
  const running = new Map<string, number>();
  return {
    async run(caller, work) {
      const count = running.get(caller) ?? 0;
      if (count >= max) throw new AppError('request.too_many', { retryAfterSeconds: RETRY_SECONDS });
      running.set(caller, count + 1);
      try {
        return await work();
      } finally {
        const left = (running.get(caller) ?? 1) - 1;
        if (left > 0) running.set(caller, left);
        else running.delete(caller);
      }
    },
  };
}
