import type { Pool, PoolClient } from 'pg';
import type { TestApp } from './app.ts';

/** Statements, and the round trips in which they were sent. */
export type Watched = { texts: string[]; trips: number };

/**
 * Watches the statements of a pool, including the begin and end of transactions. Statements sent while their connection
 * awaits another share its round trip. Nothing else may run meanwhile.
 */
export function watchQueries(pool: Pool): (work: () => Promise<unknown>) => Promise<Watched> {
  const known = new WeakSet<PoolClient>();
  let watched: Watched = { texts: [], trips: 0 };
  pool.on('acquire', (client) => {
    if (known.has(client)) return;
    known.add(client);
    let awaited = 0;
    const query = client.query.bind(client) as (...given: unknown[]) => unknown; // one of its overloads
    client.query = ((...given: unknown[]) => {
      const [first] = given;
      watched.texts.push(typeof first === 'string' ? first : (first as { text: string }).text); // a query config
      if (awaited === 0) watched.trips += 1;
      const answer = query(...given);
      const end = () => void awaited--;
      if (answer instanceof Promise) {
        awaited += 1;
        answer.then(end, end);
      }
      return answer;
    }) as typeof client.query; // same overload
  });
  return async (work) => {
    watched = { texts: [], trips: 0 };
    await work();
    return watched;
  };
}

/** Counts the queries of all requests together. */
export function countQueries({ ctx: { pool } }: TestApp): (work: () => Promise<unknown>) => Promise<number> {
  const watch = watchQueries(pool);
  return async (work) => (await watch(work)).texts.length;
}
