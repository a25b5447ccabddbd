import { createServer } from 'node:net';
import pg from 'pg';
import { database, role } from './cluster.ts';
import { hasCode } from './error.ts';

/**
 * `starting` includes recovery after a crash; `no-database` accepts our password; `silent` is anything that does not
 * answer.
 */
export type ProbeAnswer = 'ready' | 'no-database' | 'starting' | 'stopping' | 'refused' | 'silent';

export function urlOf(port: number, password: string, name = database): string {
  return `postgres://${role}:${password}@127.0.0.1:${port}/${name}`;
}

export async function probe(port: number, password: string): Promise<{ answer: ProbeAnswer; version?: string }> {
  try {
    const rows = await query(
      urlOf(port, password),
      `select split_part(current_setting('server_version'), ' ', 1) as version`,
    );
    return { answer: 'ready', version: String(rows[0]?.version) };
  } catch (error) {
    return { answer: answerOf(error) };
  }
}

function answerOf(error: unknown): ProbeAnswer {
  if (hasCode(error, '3D000')) return 'no-database';
  if (hasCode(error, '28P01', '28000')) return 'refused';
  if (hasCode(error, '57P03') && error instanceof Error)
    return /shutting down/.test(error.message) ? 'stopping' : 'starting';
  return 'silent';
}

export async function createDatabase(port: number, password: string): Promise<void> {
  try {
    await query(urlOf(port, password, 'postgres'), `create database ${database}`);
  } catch (error) {
    if (!hasCode(error, '42P04')) throw error; // It exists already.
  }
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  // Without a listener a lost server would crash the product.
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end().catch(() => {});
  }
}

/** A port free on 127.0.0.1 at this moment; another program may take it before PostgreSQL does. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
