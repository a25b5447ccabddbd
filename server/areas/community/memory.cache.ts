import type { Pool } from 'pg';
import { lastOutageOf } from '#server/db/outage.ts';

/** Keeps a value in a memory of the process as its youngest; beyond `max` the oldest are forgotten. */
export function keep<V>(memory: Map<string, V>, max: number, key: string, value: V): void {
  memory.delete(key);
  memory.set(key, value);
  for (const oldest of memory.keys()) {
    if (memory.size <= max) return;
    memory.delete(oldest);
  }
}

/** A page is forgotten after so long, whatever the database says of it. */
const MAX_AGE_MS = 60_000;
const MAX_PAGES = 200;

/** The pages of one sort that a process remembers, by key, for each database it reads from: a replica may be behind. */
export class Memory<Page> {
  #ofPools = new WeakMap<Pool, Map<string, { page: Page; readAt: number }>>();

  get(pool: Pool, key: string): Page | undefined {
    const known = this.#ofPools.get(pool)?.get(key);
    const since = Math.max(performance.now() - MAX_AGE_MS, lastOutageOf(pool));
    return known && known.readAt >= since ? known.page : undefined;
  }

  forget(pool: Pool, key: string): void {
    this.#ofPools.get(pool)?.delete(key);
  }

  /** `readAt`: a moment before it was read, as `performance.now()` told it. */
  put(pool: Pool, key: string, page: Page, readAt: number): void {
    const pages = this.#ofPools.get(pool) ?? new Map<string, { page: Page; readAt: number }>();
    this.#ofPools.set(pool, pages);
    keep(pages, MAX_PAGES, key, { page, readAt });
  }
}
