import { AppError } from '#server/errors.ts';

/** Runs a task when a slot is free. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Limits concurrency: runs at most `running` tasks and queues `waiting` more. Throws server.unavailable beyond that.
 */
export function takeTurns(limits: { running: number; waiting: number }): InTurn {
  let running = 0;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (running < limits.running) running += 1;
    else {
      if (queue.length >= limits.waiting) throw new AppError('server.unavailable', { retryAfterSeconds: 5 });
      await new Promise<void>((resume) => queue.push(resume)); // a finished task passes its slot on
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Limits concurrency per key. A key is forgotten when none of its tasks is running or queued. */
export function takeTurnsByKey(limits: {
  running: number;
  waiting: number;
}): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, { inTurn: InTurn; tasks: number }>();
  return async (key, work) => {
    const line = lines.get(key) ?? { inTurn: takeTurns(limits), tasks: 0 };
    lines.set(key, line);
    line.tasks += 1;
    try {
      return await line.inTurn(work);
    } finally {
      line.tasks -= 1;
      if (line.tasks === 0) lines.delete(key);
    }
  };
}
