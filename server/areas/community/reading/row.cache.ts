import type { Pool } from 'pg';
import { lastOutageOf } from '#server/db/outage.ts';

/** A row and the transaction that wrote it (its xmin): the same id and version always mean the same content. */
export type Versioned = { id: string; version: string };

/** A Versioned as the database returns it. */
export type KeyTuple = [id: string, version: string];

export const toKeys = (tuples: KeyTuple[] | null): Versioned[] =>
  tuples?.map(([id, version]) => ({ id, version })) ?? [];

type Kept<Row> = { row: Row; characters: number; readAt: number };

/** The latest rows of one table that this process has read; beyond `maxCharacters` the oldest are evicted. */
class RowCache<Row extends Versioned> {
  #kept = new Map<string, Kept<Row>>();
  #characters = 0;
  #maxCharacters: number;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** `since`: rows read before that moment are ignored. */
  get({ id, version }: Versioned, since: number): Row | undefined {
    const kept = this.#kept.get(id);
    return kept?.row.version === version && kept.readAt >= since ? kept.row : undefined;
  }

  put(row: Row, characters: number, readAt: number): void {
    this.#forget(row.id);
    this.#kept.set(row.id, { row, characters, readAt });
    this.#characters += characters;
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= this.#maxCharacters) return;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    this.#characters -= this.#kept.get(id)?.characters ?? 0;
    this.#kept.delete(id);
  }
}

const ofPools = new WeakMap<Pool, Map<string, RowCache<Versioned>>>();
const MAX_CHARACTERS = 16 * 2 ** 20;

/**
 * The cache of a table, one for each pool, since a replica is a server of its own. After an outage another server may
 * answer with the same version for other content, so rows read before it are ignored.
 */
export function rowCache<Row extends Versioned>(pool: Pool, table: string) {
  const caches = ofPools.get(pool) ?? new Map<string, RowCache<Versioned>>();
  ofPools.set(pool, caches);
  const cache = (caches.get(table) ?? new RowCache(MAX_CHARACTERS)) as RowCache<Row>; // each table has one row type
  caches.set(table, cache as unknown as RowCache<Versioned>);
  return {
    get: (key: Versioned) => cache.get(key, lastOutageOf(pool)),
    put: (row: Row, characters: number, readAt: number) => cache.put(row, characters, readAt),
  };
}
