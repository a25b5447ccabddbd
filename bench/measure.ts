import autocannon from 'autocannon';
import type pg from 'pg';
import { cpuOf, cpuSince, processTree, residentMb, databaseProcesses } from './cpu.ts';

export const CONNECTIONS = 16;
export const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10);
/** A fixed number of requests instead of a duration, for shared machines where only CPU figures are meaningful. */
export const REQUESTS = Number(process.env['BENCH_REQUESTS'] ?? 0);

/** The `n`th request of a case. */
export type RequestSpec = {
  method?: 'GET' | 'POST' | 'PUT';
  path: string;
  headers?: Record<string, string>;
  body?: string;
};

export type Measured = {
  perSecond: number;
  p50: number;
  p99: number;
  serverMs: number;
  databaseMs: number;
  mb: number;
};

/** The measured process and its database. */
export type Machine = { url: string; pid: number; client: pg.ClientBase };

/** Processes of the PostgreSQL server, without backends that serve other databases. */
export async function databasePids(client: pg.ClientBase): Promise<number[]> {
  const { rows } = await client.query<{ own: number; others: number[] }>(
    `select pg_backend_pid() as own, coalesce((select array_agg(pid) from pg_stat_activity
       where datname is not null and datname <> current_database()), '{}') as others`,
  );
  const { own, others } = rows[0]!; // an aggregate returns one row
  return databaseProcesses(own).filter((pid) => !others.includes(pid));
}

async function load(
  url: string,
  request: (n: number) => RequestSpec,
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
    requests: [{ setupRequest: (defaults) => ({ ...defaults, ...request(n++) }) }],
  });
  return { result, next: n };
}

/**
 * Measures a case with this many connections, 16 by default, each sending one request after another. `steps` requests
 * make up one operation.
 */
export async function measure(
  name: string,
  machine: Machine,
  {
    request,
    steps = 1,
    connections = CONNECTIONS,
  }: { request: (n: number) => RequestSpec; steps?: number; connections?: number },
): Promise<Measured> {
  const { url, pid, client } = machine;
  const { next } = await load(url, request, 0, { connections, isWarming: true });
  const server = cpuOf(processTree(pid));
  const database = cpuOf(await databasePids(client));
  const startedAt = performance.now();
  const { result } = await load(url, request, next, { connections });
  const seconds = (performance.now() - startedAt) / 1000;
  if (result.non2xx > 0 || result.errors > 0 || result.requests.total === 0)
    throw new Error(
      `${name}: of ${result.requests.total} ${result.non2xx} refused, ${result.errors} failed: ${JSON.stringify(result.statusCodeStats)}`,
    );
  const operations = result.requests.total / steps;
  const family = processTree(pid);
  return {
    perSecond: operations / seconds,
    p50: result.latency.p50 * steps,
    p99: result.latency.p99 * steps,
    serverMs: (cpuSince(server, family) * 1000) / operations,
    databaseMs: (cpuSince(database, await databasePids(client)) * 1000) / operations,
    mb: residentMb(family),
  };
}
