import type { RequestSpec } from './measure.ts';

/** The baselines of limits.ts: static text, rows serialised here, JSON finished in the database, one insert. */
export type Limit = 'S' | 'Q' | 'R' | 'I';

/** An operation and its target: a share of a limit, or milliseconds of CPU of server and database. */
export type Case = {
  name: string;
  target: { limit: Limit; ratio: number } | { cpuMs: number };
  request(n: number): RequestSpec;
  /** Concurrent connections; by default as many as for the limits. */
  connections?: number;
  /** Requests that make up one operation; 1 by default. */
  steps?: number;
  /** Validates the response to the `n`th request. */
  isRight?(text: string, n: number): boolean;
};

/** Sends each step once and throws on a wrong response, so that no refusal is measured. */
export async function tryCase({ name, request, steps = 1, isRight }: Case, url: string): Promise<void> {
  for (let n = 0; n < steps; n += 1) {
    const { path, ...init } = request(n);
    const answer = await fetch(url + path, init);
    const text = await answer.text();
    if (!answer.ok || isRight?.(text, n) === false)
      throw new Error(`${name}: responded ${answer.status} ${text.slice(0, 300)}`);
  }
}
