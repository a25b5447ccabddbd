import type { Pool } from 'pg';

const lastOutages = new WeakMap<Pool, number>();

/**
 * From now on another server may answer than before, and one that was promoted may lack what the other one told last:
 * what was read until now is not to be believed for being unchanged.
 */
export function noteOutage(pool: Pool): void {
  lastOutages.set(pool, performance.now());
}

/** When that was last, as `performance.now()` told it. */
export function lastOutageOf(pool: Pool): number {
  return lastOutages.get(pool) ?? -Infinity;
}
