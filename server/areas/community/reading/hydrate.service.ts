import type { Ctx } from '#server/ctx.ts';
import { rowCache, type Versioned } from './row.cache.ts';
import { findRows, type Rows } from './rows.repository.ts';

type Table = keyof Rows;
const TABLES: Table[] = ['activities', 'people', 'polls', 'reactions'];

/** The ids and versions of the rows a page needs. */
export type RowKeys = Partial<Record<Table, Versioned[]>>;

/** The rows of a page by id. A row deleted since its key was read is missing. */
export type Hydrated = { [Name in Table]: Map<string, Rows[Name][number]> };

type Source = Pick<Ctx, 'db' | 'pool'>;

const reads = new WeakMap<Source['pool'], Map<string, Promise<Rows>>>();

/** Concurrent reads of the same rows share one statement. */
async function readRows({ db, pool }: Source, missing: Record<Table, Versioned[]>): Promise<Rows> {
  const idsOf = (table: Table) => missing[table].map(({ id }) => id);
  const ids = {
    activities: idsOf('activities'),
    people: idsOf('people'),
    polls: idsOf('polls'),
    reactions: idsOf('reactions'),
  };
  if (db.isTransaction) return await findRows(db, ids);
  const underWay = reads.get(pool) ?? new Map<string, Promise<Rows>>();
  reads.set(pool, underWay);
  const key = JSON.stringify(missing);
  const read = underWay.get(key) ?? findRows(db, ids).finally(() => underWay.delete(key));
  underWay.set(key, read);
  return await read;
}

const ROW_CHARACTERS = 600;

/** Rough memory use of a row: the rendered text is cached beside its source. */
function charactersOf(row: Rows[Table][number]): number {
  if (!('body' in row)) return ROW_CHARACTERS;
  const written = [row.body, row.bodyHtml, JSON.stringify(row.additionalData)];
  return ROW_CHARACTERS + 2 * written.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}

/**
 * The rows of a page, from the cache or, where their version changed, from one statement. Inside a transaction the
 * cache is bypassed: its rows may never be committed.
 */
export async function hydrate(source: Source, keys: RowKeys): Promise<Hydrated> {
  const found: Hydrated = { activities: new Map(), people: new Map(), polls: new Map(), reactions: new Map() };
  const missing: Record<Table, Versioned[]> = { activities: [], people: [], polls: [], reactions: [] };
  const keeps = !source.db.isTransaction;
  for (const table of TABLES) {
    const rows: Map<string, Versioned> = found[table];
    const cache = rowCache<Versioned>(source.pool, table);
    for (const key of new Map(keys[table]?.map((one) => [one.id, one])).values()) {
      const row = keeps ? cache.get(key) : undefined;
      if (row) rows.set(key.id, row);
      else missing[table].push({ id: key.id, version: key.version });
    }
  }
  if (TABLES.every((table) => missing[table].length === 0)) return found;

  const readAt = performance.now();
  const read = await readRows(source, missing);
  for (const table of TABLES) {
    const rows: Map<string, Versioned> = found[table];
    const cache = rowCache<Versioned>(source.pool, table);
    for (const row of read[table]) {
      rows.set(row.id, row);
      if (keeps) cache.put(row, charactersOf(row), readAt);
    }
  }
  return found;
}
