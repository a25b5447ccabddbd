import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../server/test/process.ts';
import { ask } from '../fixture.ts';
import { runChild, startChild, type Child } from './child.ts';
import type { Workshop } from './workshop.ts';
import { until } from '../measures.ts';

const BINARIES = '/usr/lib/postgresql';
const SUPERUSER = 'officium';
const DATABASE = 'officium';

/** A cluster of Debian's PostgreSQL in a folder of the workshop. */
export type Postgres = {
  name: string;
  data: string;
  port: number;
  /** The URL of the product's database. */
  url: string;
  /** Starts it, also after a kill, and resolves when it accepts connections. */
  start(): Promise<void>;
  /**
   * `fast` ends sessions and writes a checkpoint, `immediate` stops like a crash, `kill` is kill -9 of the postmaster.
   */
  stop(how: 'fast' | 'immediate' | 'kill'): Promise<void>;
  isAccepting(): Promise<boolean>;
};

export type PostgresOptions = {
  name: string;
  settings?: Record<string, string>;
  /** Environment of its processes. */
  env?: Record<string, string>;
};

/** The binaries of the newest PostgreSQL that Debian installed. */
export async function findBinaries(): Promise<string> {
  const versions = await readdir(BINARIES).catch(() => []);
  const newest = versions.map(Number).sort((a, b) => b - a)[0];
  if (!newest) throw new Error('This drill needs Debian’s package postgresql (none in /usr/lib/postgresql).');
  return join(BINARIES, String(newest), 'bin');
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_level: 'replica',
  max_wal_senders: '10',
  hot_standby: 'on',
  max_connections: '300',
  shared_buffers: '256MB',
  timezone: 'UTC',
};

/** A new running cluster with an empty database for the product. Its log is `<name>.log` in the workshop folder. */
export async function makePostgres(
  workshop: Workshop,
  { name, settings = {}, env }: PostgresOptions,
): Promise<Postgres> {
  const bin = await findBinaries();
  const data = join(await workshop.place(name), 'data');
  await runChild(
    join(bin, 'initdb'),
    [
      `--pgdata=${data}`,
      `--username=${SUPERUSER}`,
      '--auth=trust',
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--data-checksums',
    ],
    { log: join(workshop.folder, `${name}.log`), account: workshop.account, cwd: workshop.folder },
  );
  const server = await openCluster(workshop, { bin, data, name, settings: { ...SETTINGS, ...settings }, env });
  await server.start();
  await ask(address(server.port, 'postgres'), `create database ${DATABASE}`);
  return server;
}

const address = (port: number, database: string) => `postgres://${SUPERUSER}@127.0.0.1:${port}/${database}`;

type Cluster = {
  bin: string;
  data: string;
  name: string;
  settings: Record<string, string>;
  env?: Record<string, string> | undefined;
};

/** A cluster with an existing data folder, such as a restored one; not started. */
export async function openCluster(
  workshop: Workshop,
  { bin, data, name, settings, env = {} }: Cluster,
): Promise<Postgres> {
  const port = await freePort();
  const log = join(workshop.folder, `${name}.log`);
  const args = ['-D', data, '-p', String(port)];
  for (const [key, value] of Object.entries(settings)) args.push('-c', `${key}=${value}`);
  let child: Child | undefined;
  const isAccepting = async () =>
    await ask(address(port, 'postgres'), 'select 1').then(
      () => true,
      () => false,
    );
  const stop: Postgres['stop'] = async (how) => {
    child?.kill(({ fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const)[how]);
    await child?.ended;
    child = undefined;
  };
  workshop.atEnd(() => stop('immediate'));
  return {
    name,
    data,
    port,
    url: address(port, DATABASE),
    isAccepting,
    stop,
    async start() {
      const started = () =>
        startChild(join(bin, 'postgres'), args, { log, env, account: workshop.account, cwd: workshop.folder });
      child = started();
      const check = async () => {
        // Backends of a killed postmaster hold its shared memory briefly, and a start fails until they exit.
        if (child?.exitCode() !== undefined) child = started();
        return await isAccepting();
      };
      await until(`${name} accepts connections`, check, 60_000, 50);
    },
  };
}

/**
 * A streaming replica of `primary`, running and caught up. With `isSynchronous` every commit waits for it. `port` is
 * the port by which it reaches the primary, by default the primary's own.
 */
export async function makeStandby(
  workshop: Workshop,
  primary: Postgres,
  { name, isSynchronous, port = primary.port }: { name: string; isSynchronous: boolean; port?: number },
): Promise<Postgres> {
  const bin = await findBinaries();
  const data = join(await workshop.place(name), 'data');
  await copyCluster(workshop, primary, { name, data, args: ['--write-recovery-conf'] });
  const standby = await openCluster(workshop, {
    bin,
    data,
    name,
    settings: {
      ...SETTINGS,
      primary_conninfo: `host=127.0.0.1 port=${port} user=${SUPERUSER} application_name=${name}`,
    },
  });
  await standby.start();
  const isStreaming = async () => {
    const rows = await ask(
      primary.url,
      `select from pg_stat_replication where application_name = $1 and state = 'streaming'`,
      [name],
    );
    return rows.length > 0;
  };
  await until(`${name} streams`, isStreaming, 60_000, 50);
  if (isSynchronous) await setSetting(primary, 'synchronous_standby_names', `FIRST 1 ("${name}")`);
  return standby;
}

/** Runs pg_basebackup from a running server into a new folder. */
export async function copyCluster(
  workshop: Workshop,
  from: Postgres,
  { name, data, args = [] }: { name: string; data: string; args?: string[] },
): Promise<void> {
  const bin = await findBinaries();
  await rm(data, { recursive: true, force: true });
  await runChild(
    join(bin, 'pg_basebackup'),
    ['-h', '127.0.0.1', '-p', String(from.port), '-U', SUPERUSER, '-D', data, '-X', 'stream', '-c', 'fast', ...args],
    { log: join(workshop.folder, `${name}.log`), account: workshop.account, cwd: workshop.folder },
  );
}

/** Changes a setting that needs no restart. */
export async function setSetting(server: Postgres, name: string, value: string): Promise<void> {
  await ask(server.url, `alter system set ${name} = '${value}'`);
  await ask(server.url, 'select pg_reload_conf()');
}

/** Makes a cluster start in recovery without following a primary. */
export async function markForRecovery(data: string): Promise<void> {
  await writeFile(join(data, 'recovery.signal'), '', { mode: 0o644 });
}
