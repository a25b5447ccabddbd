import { AppError } from '#server/errors.ts';

/** Runs one piece of work when it is its turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** At most `running` pieces of work at once and `waiting` more in line; beyond that callers are told to come again. */
export function takeTurns(limits: { running: number; waiting: number }): InTurn {
  let running = 0;
  const line: (() => void)[] = [];
  return async (work) => {
    if (running < limits.running) running += 1;
    else {
      if (line.length >= limits.waiting) throw new AppError('server.unavailable', { retryAfterSeconds: 5 });
      await new Promise<void>((resume) => line.push(resume)); // the one who ends hands its place over
    }
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** The same for each key by itself, which is forgotten when nobody is in its line. */
export function takeTurnsByKey(limits: {
  running: number;
  waiting: number;
}): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lines = new Map<string, { inTurn: InTurn; people: number }>();
  return async (key, work) => {
    const line = lines.get(key) ?? { inTurn: takeTurns(limits), people: 0 };
    lines.set(key, line);
    line.people += 1;
    try {
      return await line.inTurn(work);
    } finally {
      line.people -= 1;
      if (line.people === 0) lines.delete(key);
    }
  };
}
