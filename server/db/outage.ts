import type { Pool } from 'pg';

const lastOutages = new WeakMap<Pool, number>();

/**
 * Records that the connection was lost. Another server may answer from now on, and a promoted one may lack the last
 * commits, so rows cached before cannot be trusted by their version.
 */
export function noteOutage(pool: Pool): void {
  lastOutages.set(pool, performance.now());
}

/** The time of the last outage, by `performance.now()`. */
export function lastOutageOf(pool: Pool): number {
  return lastOutages.get(pool) ?? -Infinity;
}
