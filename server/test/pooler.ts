import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { isRoot } from '#server/db/embedded/place.ts';
import { freePort } from './process.ts';

const PROGRAM = '/usr/sbin/pgbouncer';
export const hasPgBouncer = existsSync(PROGRAM);

const NOBODY = { uid: 65_534, gid: 65_534 };

export type Pooler = { url: string; close(): Promise<void> };

/** PgBouncer in transaction mode for a database, with at most `size` server connections. */
export async function startPgBouncer(
  databaseUrl: string,
  { size = 3, connectQuery = '' }: { size?: number; connectQuery?: string } = {},
): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'officium-pooler-'));
  await chmod(folder, 0o755); // as root, it runs under another account, which must enter the folder
  const listenPort = await freePort();
  const name = pathname.slice(1);
  const target = `host=${hostname} port=${port || 5432} dbname=${name} user=${username} password=${password || 'none'}`;
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(
    settings,
    `[databases]
${name} = ${target}${connectQuery && ` connect_query='${connectQuery}'`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 200
`,
    { mode: 0o644 },
  );
  const child = spawn(PROGRAM, [settings], { ...(isRoot() && NOBODY), stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (bytes) => (output += bytes));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `postgres://${username}@127.0.0.1:${listenPort}/${name}`;
  while (!(await answers(url))) if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${output}`);
  return {
    url,
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => {}); // connect rejects too
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    await new Promise((later) => setTimeout(later, 50));
    return false;
  }
}
