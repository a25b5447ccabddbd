import autocannon from 'autocannon';
import type pg from 'pg';
import { cpuOf, cpuSince, familyOf, residentMb, serversOf } from './cpu.ts';

export const CONNECTIONS = 16;
export const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
/** So many requests instead, however long they take: where others work on the machine and only CPU says anything. */
export const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 0);

/** One request of a case: the `n`th. */
export type Ask = { method?: 'GET' | 'POST' | 'PUT'; path: string; headers?: Record<string, string>; body?: string };

export type Measured = {
  perSecond: number;
  p50: number;
  p99: number;
  serverMs: number;
  databaseMs: number;
  mb: number;
};

/** Of what a case is measured: the process that answers, and the database it asks. */
export type Machine = { url: string; pid: number; client: pg.ClientBase };

/** Of the PostgreSQL, but for backends that work for others on the same server. */
async function databasePids(client: pg.ClientBase): Promise<number[]> {
  const { rows } = await client.query<{ own: number; others: number[] }>(
    `select pg_backend_pid() as own, coalesce((select array_agg(pid) from pg_stat_activity
       where datname is not null and datname <> current_database()), '{}') as others`,
  );
  const { own, others } = rows[0]!; // it has no condition
  return serversOf(own).filter((pid) => !others.includes(pid));
}

async function load(
  url: string,
  ask: (n: number) => Ask,
  from: number,
  { connections, isWarming = false }: { connections: number; isWarming?: boolean },
) {
  let n = from;
  const amount = isWarming ? Math.ceil(REQUESTS / 5) : REQUESTS;
  const result = await autocannon({
    url,
    connections,
    ...(REQUESTS > 0
      ? { amount: Math.max(amount, connections), timeout: 60 }
      : { duration: isWarming ? Math.min(2, SECONDS) : SECONDS }),
    requests: [{ setupRequest: (request) => ({ ...request, ...ask(n++) }) }],
  });
  return { result, next: n };
}

/**
 * Asks by so many connections at once, 16 unless told, each one request after another. `steps`: how many requests make
 * one of the operation.
 */
export async function measure(
  name: string,
  machine: Machine,
  { ask, steps = 1, connections = CONNECTIONS }: { ask: (n: number) => Ask; steps?: number; connections?: number },
): Promise<Measured> {
  const { url, pid, client } = machine;
  const { next } = await load(url, ask, 0, { connections, isWarming: true });
  const server = cpuOf(familyOf(pid));
  const database = cpuOf(await databasePids(client));
  const begun = performance.now();
  const { result } = await load(url, ask, next, { connections });
  const seconds = (performance.now() - begun) / 1000;
  if (result.non2xx > 0 || result.errors > 0 || result.requests.total === 0)
    throw new Error(
      `${name}: of ${result.requests.total} ${result.non2xx} refused, ${result.errors} failed: ${JSON.stringify(result.statusCodeStats)}`,
    );
  const operations = result.requests.total / steps;
  const family = familyOf(pid);
  return {
    perSecond: operations / seconds,
    p50: result.latency.p50 * steps,
    p99: result.latency.p99 * steps,
    serverMs: (cpuSince(server, family) * 1000) / operations,
    databaseMs: (cpuSince(database, await databasePids(client)) * 1000) / operations,
    mb: residentMb(family),
  };
}
