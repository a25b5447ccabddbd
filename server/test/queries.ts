import type { PoolClient } from 'pg';
import type { TestApp } from './app.ts';

/**
 * Counts the queries of all requests together, including the begin and end of transactions. Nothing else may run
 * meanwhile.
 */
export function countQueries({ ctx: { pool } }: TestApp): (work: () => Promise<unknown>) => Promise<number> {
  const known = new WeakSet<PoolClient>();
  let count = 0;
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown; // one of its overloads
    client.query = ((...given: unknown[]) => {
      count += 1;
      return query(...given);
    }) as typeof client.query; // same overload
  });
  return async (work) => {
    const before = count;
    await work();
    return count - before;
  };
}
