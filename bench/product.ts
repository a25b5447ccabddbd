import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { newId } from '../server/db/client.ts';
import { connectOrStartEmbedded } from '../server/db/embedded/embedded.ts';
import { query, withDatabase } from '../server/test/cluster.ts';
import { freePort, ROOT, startProcess, type RunningProcess } from '../server/test/process.ts';

/** A database that is filled once and used again; it is left as the run leaves it. */
const GIVEN = process.env['BENCH_DATABASE_URL'];
/** A server on which a new database is made for the run. */
const SERVER = process.env['DATABASE_URL'];

export type BenchProduct = {
  /** Where the product answers, once it is started. */
  url: string;
  start(): Promise<{ pid: number; seconds: number }>;
  stop(): Promise<void>;
  /** Opens a connection to its database, which it must have started or which is not its own. */
  connect(): Promise<{ client: pg.Client; databaseUrl: string }>;
  /** Ends all of it. */
  close(): Promise<void>;
};

/** The product on the embedded database, or on that of BENCH_DATABASE_URL, or on a new one of DATABASE_URL's server. */
export async function openBenchProduct(): Promise<BenchProduct> {
  const folder = await mkdtemp(join(tmpdir(), 'officium-bench-'));
  await chmod(folder, 0o755); // as root the database runs under another account, which must get in
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
      const begun = performance.now();
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
      return { pid: running.pid, seconds: (performance.now() - begun) / 1000 };
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
