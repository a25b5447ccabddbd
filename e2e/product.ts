import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newId } from '../server/db/client.ts';
import { query, withDatabase } from '../server/test/cluster.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export type Product = {
  url: string;
  dataDir: string;
  pid: number;
  databaseUrl: string | undefined;
  output(): string;
  exitCode(): number | null;
  stop(): Promise<void>;
};

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo; // listening on TCP
  await new Promise((closed) => server.close(closed));
  return port;
}

/**
 * The product as `npm start` runs it, in a process of its own with demo content, on the embedded database or on a new
 * database of DATABASE_URL's server. Resolves when it is ready.
 */
export async function startProduct(settings: Record<string, string> = {}): Promise<Product> {
  const folder = await mkdtemp(join(tmpdir(), 'officium-e2e-'));
  await chmod(folder, 0o755); // as root the database runs under another account, which must get in
  const dataDir = join(folder, 'data');
  const port = await freePort();
  const given = process.env['DATABASE_URL'];
  const name = `officium_e2e_${newId().replaceAll('-', '')}`;
  if (given) await query(given, `create database ${name}`);
  const url = `http://localhost:${port}`;
  const child: ChildProcess = spawn(process.execPath, [join(ROOT, 'server/start.ts')], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: dataDir,
      DEMO_CONTENT: 'on',
      LOG_LEVEL: 'warn',
      RATE_LIMITS: 'off',
      ...(given ? { DATABASE_URL: withDatabase(given, name) } : {}),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let hasEnded = false;
  child.stdout?.on('data', (chunk) => (output += chunk));
  child.stderr?.on('data', (chunk) => (output += chunk));
  const ended = new Promise<void>((resolve) =>
    child.on('exit', () => {
      hasEnded = true;
      resolve();
    }),
  );
  const deadline = Date.now() + 180_000;
  for (;;) {
    if (hasEnded) throw new Error(`The product ended before it was ready:\n${output}`);
    const isReady = await fetch(`${url}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isReady) break;
    if (Date.now() > deadline) throw new Error(`The product was not ready in time:\n${output}`);
    await new Promise((later) => setTimeout(later, 200));
  }
  return {
    url,
    dataDir,
    pid: child.pid ?? 0,
    databaseUrl: given && withDatabase(given, name),
    output: () => output,
    exitCode: () => child.exitCode,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      if (given) await query(given, `drop database ${name} with (force)`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
