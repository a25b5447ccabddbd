import type { Ask } from './measure.ts';

/** The limits of limits.ts: static text, rows made into objects, finished text, one insert. */
export type Limit = 'S' | 'Q' | 'R' | 'I';

/** What is measured, and what it is to reach: a share of a limit, or milliseconds of CPU of server and database. */
export type Case = {
  name: string;
  reach: { limit: Limit; ratio: number } | { cpuMs: number };
  ask(n: number): Ask;
  /** How many connections ask at once; as many as of the limits unless told. */
  connections?: number;
  /** How many requests make one of it; one unless told. */
  steps?: number;
  /** Is that the answer to the `n`th request? */
  isRight?(text: string, n: number): boolean;
};

/** Asks once for each step and says what is wrong with the answer, so that no refusal is measured. */
export async function tryCase({ name, ask, steps = 1, isRight }: Case, url: string): Promise<void> {
  for (let n = 0; n < steps; n += 1) {
    const { path, ...init } = ask(n);
    const answer = await fetch(url + path, init);
    const text = await answer.text();
    if (!answer.ok || isRight?.(text, n) === false)
      throw new Error(`${name}: answered ${answer.status} ${text.slice(0, 300)}`);
  }
}
