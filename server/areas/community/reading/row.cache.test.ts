import { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { noteOutage } from '#server/db/outage.ts';
import { rowCache } from './row.cache.ts';

const row = (id: string, version: string) => ({ id, version });

describe('the row cache', () => {
  it('returns only the version asked for, per database server', () => {
    const [pool, replica] = [new Pool(), new Pool()];
    const cache = rowCache(pool, 'a table');
    cache.put(row('a', '1'), 10, performance.now());
    expect(cache.get(row('a', '1'))).toEqual(row('a', '1'));
    expect(cache.get(row('a', '2'))).toBeUndefined();
    expect(rowCache(replica, 'a table').get(row('a', '1'))).toBeUndefined();
    expect(rowCache(pool, 'another').get(row('a', '1'))).toBeUndefined();
    expect(rowCache(pool, 'a table').get(row('a', '1'))).toEqual(row('a', '1'));
  });

  it('drops rows read before an outage, since another server may have assigned the same version', () => {
    const pool = new Pool();
    const cache = rowCache(pool, 'a table');
    cache.put(row('a', '1'), 10, performance.now());
    const before = performance.now();
    noteOutage(pool);
    expect(cache.get(row('a', '1'))).toBeUndefined();
    cache.put(row('a', '1'), 10, before - 1); // requested before, answered afterwards
    expect(cache.get(row('a', '1'))).toBeUndefined();
    cache.put(row('a', '1'), 10, performance.now() + 1);
    expect(cache.get(row('a', '1'))).toEqual(row('a', '1'));
  });

  it('evicts the oldest rows when it is full', () => {
    const cache = rowCache(new Pool(), 'a table');
    for (const id of ['a', 'b', 'c']) cache.put(row(id, '1'), 8 * 2 ** 20, performance.now());
    expect(['a', 'b', 'c'].map((id) => cache.get(row(id, '1'))?.id)).toEqual([undefined, 'b', 'c']);
    cache.put(row('b', '2'), 17 * 2 ** 20, performance.now()); // larger than the whole cache
    expect(['b', 'c'].map((id) => cache.get(row(id, '2')))).toEqual([undefined, undefined]);
  });
});
