import type { Pool } from 'pg';
import { lastOutageOf } from '#server/db/outage.ts';

/** Sets a key of a bounded map as its newest; beyond `max` entries the oldest are dropped. */
export function setBounded<V>(memory: Map<string, V>, max: number, key: string, value: V): void {
  memory.delete(key);
  memory.set(key, value);
  for (const oldest of memory.keys()) {
    if (memory.size <= max) return;
    memory.delete(oldest);
  }
}

/** Pages expire after this time even when the database reports no change. */
const MAX_AGE_MS = 60_000;
const MAX_PAGES = 200;

/** A bounded cache of pages by key, one for each pool: a replica may lag behind the primary. */
export class PageCache<Page> {
  #ofPools = new WeakMap<Pool, Map<string, { page: Page; readAt: number }>>();

  get(pool: Pool, key: string): Page | undefined {
    const known = this.#ofPools.get(pool)?.get(key);
    const since = Math.max(performance.now() - MAX_AGE_MS, lastOutageOf(pool));
    return known && known.readAt >= since ? known.page : undefined;
  }

  forget(pool: Pool, key: string): void {
    this.#ofPools.get(pool)?.delete(key);
  }

  /** `readAt`: `performance.now()` from before the page was read. */
  put(pool: Pool, key: string, page: Page, readAt: number): void {
    const pages = this.#ofPools.get(pool) ?? new Map<string, { page: Page; readAt: number }>();
    this.#ofPools.set(pool, pages);
    setBounded(pages, MAX_PAGES, key, { page, readAt });
  }
}
