import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf } from '@officium/contract/client';
import type { Endpoint } from '@officium/contract/endpoint';
import { Pool } from 'undici';
import { afterAll } from 'vitest';
import { createTestApp, SERVICE_KEY, WEBHOOK_KEY, type As, type Sent, type TestApp } from '../app.ts';
import { freePort, ROOT, startProcess, type RunningProcess } from '../process.ts';

/**
 * Concurrent requests per node; the others wait, as at a load balancer. With everything else, two nodes stay below
 * PostgreSQL's hundred connections.
 */
const IN_FLIGHT = 16;

export type Answer = { status: number; body: any }; // any: tests read the body they expect
export type Request = [endpoint: Endpoint, as?: As, sent?: Sent];

export type Nodes = {
  /** An application on the same database in the test's process, for factories and queries. */
  test: TestApp;
  /** Sends a request to one of the two nodes. */
  ask(node: 0 | 1, ...request: Request): Promise<Answer>;
  /** Sends all requests at once, alternating nodes. The answers are in the order of the requests. */
  storm(requests: Request[]): Promise<Answer[]>;
};

/** Two nodes of the product on one database. */
export async function startNodes(): Promise<Nodes> {
  const test = await createTestApp();
  const folder = await mkdtemp(join(tmpdir(), 'officium-races-'));
  const started = await Promise.all([startNode(test.databaseUrl, folder, 0), startNode(test.databaseUrl, folder, 1)]);
  afterAll(async () => {
    await Promise.all(
      started.map(async ({ pool, node }) => {
        await pool.close();
        await node.stop('SIGKILL'); // their state is not needed
      }),
    );
    await rm(folder, { recursive: true, force: true });
  });

  const ask: Nodes['ask'] = async (node, endpoint, as = {}, { body, headers, ...address } = {}) => {
    const reply = await started[node].pool.request({
      method: endpoint.method,
      path: addressOf(endpoint, address),
      headers: {
        ...(as.token ? { cookie: `session=${as.token}`, 'sec-fetch-site': 'same-origin' } : {}),
        ...(as.serviceKey ? { authorization: `Bearer ${as.serviceKey}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await reply.body.text();
    return { status: reply.statusCode, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    test,
    ask,
    storm: (requests) => Promise.all(requests.map((request, nth) => ask(nth % 2 === 0 ? 0 : 1, ...request))),
  };
}

async function startNode(
  databaseUrl: string,
  folder: string,
  nth: number,
): Promise<{ node: RunningProcess; pool: Pool }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    DATA_DIR: join(folder, String(nth)),
    PORT: String(port),
    PUBLIC_URL: 'http://localhost:3000',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
    SERVICE_API_KEYS: `tests:${SERVICE_KEY}`,
    WEBHOOK_KEYS: WEBHOOK_KEY,
  };
  const node = await startProcess(join(ROOT, 'server/test/races/node.ts'), { url, settings });
  return { node, pool: new Pool(url, { connections: IN_FLIGHT, pipelining: 1 }) };
}

/** Repeats a request. */
export function times(count: number, ...request: Request): Request[] {
  return Array.from({ length: count }, () => request);
}

/** Counts the answers by status, and refusals by error code. */
export function tally(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = status < 400 ? String(status) : `${status} ${body?.code}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
