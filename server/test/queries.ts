import type { PoolClient } from 'pg';
import type { TestApp } from './app.ts';

/**
 * Counts what is asked of the database, of all requests together: nothing else may be under way. Begin and end of
 * transactions count too.
 */
export function countQueries({ ctx: { pool } }: TestApp): (work: () => Promise<unknown>) => Promise<number> {
  const known = new WeakSet<PoolClient>();
  let count = 0;
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown; // one of its many forms, whichever
    client.query = ((...given: unknown[]) => {
      count += 1;
      return query(...given);
    }) as typeof client.query; // the same form
  });
  return async (work) => {
    const before = count;
    await work();
    return count - before;
  };
}
