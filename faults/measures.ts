import type { Reached } from './drill.ts';

export const pause = (ms: number) => new Promise((later) => setTimeout(later, ms));

/** The value that a share of all is not above; 0 when there are none. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** So many, but never fewer than one. */
export const scaled = (count: number, scale: number) => Math.max(1, Math.round(count * scale));

export function equal(what: string, value: number, demanded: number): Reached {
  return { what, reached: String(value), demanded: String(demanded), isReached: value === demanded };
}

/** How figures are shown that are no counts. */
export const inSeconds = (value: number) => `${value.toFixed(1)} s`;
export const inMs = (value: number) => `${Math.round(value)} ms`;
export const inPercent = (value: number) => `${Number(value.toFixed(2))} %`;
export const times = (value: number) => `${value.toFixed(2)} times`;

/** A share of all that must be reached, such as 0.999. */
export function share(what: string, count: number, of: number, atLeast: number): Reached {
  const percent = (part: number) => inPercent(100 * part);
  return {
    what,
    reached: `${percent(of === 0 ? 0 : count / of)} of ${of}`,
    demanded: atLeast === 1 ? percent(1) : `at least ${percent(atLeast)}`,
    isReached: of > 0 && count / of >= atLeast,
  };
}

/** Waits until it is true; throws after so long. */
export async function until(
  what: string,
  isTrue: () => Promise<boolean>,
  withinMs: number,
  everyMs = 500,
): Promise<number> {
  const begun = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - begun > withinMs) throw new Error(`${what}: not within ${withinMs / 1000} s`);
    await pause(everyMs);
  }
  return performance.now() - begun;
}

/** Does something at a steady pace, whether or not the earlier ones have ended, until stopped; answers what came of each. */
export function steadily<T>(perSecond: number, work: (nth: number) => Promise<T>): { stop(): Promise<T[]> } {
  const under: Promise<T>[] = [];
  const begun = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - begun) * perSecond) / 1000;
    while (under.length < due) {
      const one = work(under.length);
      one.catch(() => {}); // thrown where they are waited for
      under.push(one);
    }
  }, 20);
  return {
    async stop() {
      clearInterval(timer);
      return await Promise.all(under);
    },
  };
}

/** Numbers between 0 and 1 that are the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
