import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from './drill.ts';

/** The quantile for `share`, from 0 to 1; 0 for an empty list. */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** The 95th percentile of the latencies of answers, in ms. */
export const p95Of = (answers: readonly { ms: number }[]) =>
  quantile(
    answers.map(({ ms }) => ms),
    0.95,
  );

/** Picks from a list in turn. */
export const inTurn =
  <T>(list: readonly T[]) =>
  (nth: number): T =>
    list[nth % list.length]!; // index within the list

/** Scales a count, but never below one. */
export const scaled = (count: number, scale: number) => Math.max(1, Math.round(count * scale));

export function equal(what: string, value: number, target: number): Figure {
  return { what, result: String(value), target: String(target), isMet: value === target };
}

/** Formats of figures that are not counts. */
export const inSeconds = (value: number) => `${value.toFixed(1)} s`;
export const inMs = (value: number) => `${Math.round(value)} ms`;
export const inPercent = (value: number) => `${Number(value.toFixed(2))} %`;
export const times = (value: number) => `${value.toFixed(2)} times`;

/** A ratio with a lower bound, such as 0.999. */
export function share(what: string, count: number, of: number, atLeast: number): Figure {
  const percent = (part: number) => inPercent(100 * part);
  return {
    what,
    result: `${percent(of === 0 ? 0 : count / of)} of ${of}`,
    target: atLeast === 1 ? percent(1) : `at least ${percent(atLeast)}`,
    isMet: of > 0 && count / of >= atLeast,
  };
}

/** Polls until the condition is true; throws on timeout. */
export async function until(
  what: string,
  isTrue: () => Promise<boolean>,
  withinMs = 60_000,
  everyMs = 500,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - startedAt > withinMs) throw new Error(`${what}: timed out after ${withinMs / 1000} s`);
    await pause(everyMs);
  }
  return performance.now() - startedAt;
}

/** Runs `work` at a fixed rate, without waiting for earlier runs, until stopped. Returns all results. */
export function steadily<T>(perSecond: number, work: (nth: number) => Promise<T>): { stop(): Promise<T[]> } {
  const under: Promise<T>[] = [];
  const startedAt = performance.now();
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) * perSecond) / 1000;
    while (under.length < due) {
      const one = work(under.length);
      one.catch(() => {}); // thrown where they are awaited
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

/** A seeded random number generator: numbers from 0 to 1, the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
