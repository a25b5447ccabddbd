import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { newId } from '../server/db/client.ts';
import { connectOrStartEmbedded } from '../server/db/embedded/embedded.ts';
import { query, withDatabase } from '../server/test/cluster.ts';
import { freePort, ROOT, startProcess, type RunningProcess } from '../server/test/process.ts';

/** A database that is filled once and reused. The run's changes stay in it. */
const GIVEN = process.env['BENCH_DATABASE_URL'];
/** A server on which the run creates a new database. */
const SERVER = process.env['DATABASE_URL'];

export type BenchProduct = {
  /** Base URL, valid after start. */
  url: string;
  start(): Promise<{ pid: number; seconds: number }>;
  stop(): Promise<void>;
  /** Connects to its database. An embedded one must be started first. */
  connect(): Promise<{ client: pg.Client; databaseUrl: string }>;
  /** Stops the product and removes the database the run created. */
  close(): Promise<void>;
};

/** The product on BENCH_DATABASE_URL, else on a new database of DATABASE_URL's server, else on an embedded one. */
export async function openBenchProduct(): Promise<BenchProduct> {
  const folder = await mkdtemp(join(tmpdir(), 'officium-bench-'));
  await chmod(folder, 0o755); // as root, PostgreSQL runs under another account, which must enter the folder
  const dataDir = join(folder, 'data');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const name = `officium_bench_${newId().replaceAll('-', '')}`;
  if (!GIVEN && SERVER) await query(SERVER, `create database ${name}`);
  const databaseUrl = GIVEN ?? (SERVER && withDatabase(SERVER, name));
  let running: RunningProcess | undefined;
  let clients: pg.Client[] = [];

  async function stop(): Promise<void> {
    for (const client of clients) await client.end();
    clients = [];
    await running?.stop();
    running = undefined;
  }
  return {
    url,
    async start() {
      const startedAt = performance.now();
      running = await startProcess(join(ROOT, 'server/process/start.js'), {
        url,
        settings: {
          NODE_ENV: 'production',
          HOST: '127.0.0.1',
          PORT: String(port),
          WEB_PROCESSES: '1',
          PUBLIC_URL: url,
          DATA_DIR: dataDir,
          DEMO_CONTENT: 'off',
          LOG_LEVEL: 'warn',
          RATE_LIMITS: 'off',
          ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
        },
      });
      return { pid: running.pid, seconds: (performance.now() - startedAt) / 1000 };
    },
    stop,
    async connect() {
      const connectionString = databaseUrl ?? (await connectOrStartEmbedded({ dataDir, log: () => {} })).url;
      const client = new pg.Client({ connectionString });
      await client.connect();
      clients.push(client);
      return { client, databaseUrl: connectionString };
    },
    async close() {
      await stop();
      if (!GIVEN && SERVER) await query(SERVER, `drop database ${name} with (force)`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
