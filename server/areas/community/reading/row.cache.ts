import type { Pool } from 'pg';
import { lastOutageOf } from '#server/db/outage.ts';

/** A row and the transaction that wrote it (its xmin): the same id and version always have the same content. */
export type Versioned = { id: string; version: string };

type Kept<Row> = { row: Row; characters: number; readAt: number };

/** The newest rows of one table that a process has read; beyond `maxCharacters` the longest unused are forgotten. */
class RowCache<Row extends Versioned> {
  #kept = new Map<string, Kept<Row>>();
  #characters = 0;
  #maxCharacters: number;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** `since`: rows read before that moment are not believed. */
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
 * The cache of a table, for each pool: a replica has a server of its own behind it. After an outage another server may
 * answer, which may have given the same version to another content: what was read before is forgotten.
 */
export function rowCache<Row extends Versioned>(pool: Pool, table: string) {
  const caches = ofPools.get(pool) ?? new Map<string, RowCache<Versioned>>();
  ofPools.set(pool, caches);
  const cache = (caches.get(table) ?? new RowCache(MAX_CHARACTERS)) as RowCache<Row>; // a table has rows of one type
  caches.set(table, cache as unknown as RowCache<Versioned>);
  return {
    get: (key: Versioned) => cache.get(key, lastOutageOf(pool)),
    put: (row: Row, characters: number, readAt: number) => cache.put(row, characters, readAt),
  };
}
