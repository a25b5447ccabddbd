import { appendFile, chmod, chown, cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbedded } from '#server/db/embedded/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { JOBS } from '../app/jobs.ts';
import { prepareJobs } from '../jobs/jobs.ts';
import { portOf } from './process.ts';

const quietly = { log: () => {}, isSuperuser: true };

/** A stable URL whose target can change or disappear. */
export type TcpProxy = {
  url: string;
  connectTo(port: number | undefined): void;
  /** Accepts connections and drops all data, like a machine that lost its network. */
  dropData(): void;
  close(): Promise<void>;
};

/** Forwards local connections to a port; refuses them while there is none. */
export async function openProxy(url: string): Promise<TcpProxy> {
  let target: number | undefined;
  let isDropping = false;
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
  };
  const server: Server = createServer((caller) => {
    keep(caller);
    if (isDropping) return void caller.resume();
    if (target === undefined) return void caller.destroy();
    const called = keep(new Socket().connect(target, '127.0.0.1'));
    caller.on('data', (bytes) => !isDropping && called.write(bytes)).on('close', () => called.destroy());
    called.on('data', (bytes) => !isDropping && caller.write(bytes)).on('close', () => !isDropping && caller.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = new URL(url);
  address.port = String(portOf(server));
  const cut = () => open.forEach((socket) => socket.destroy());
  return {
    url: address.toString(),
    connectTo(port) {
      target = port;
      isDropping = false;
      cut();
    },
    dropData: () => void (isDropping = true),
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Standby = {
  primaryUrl: string;
  /** The proxy in front of the standby. */
  proxy: TcpProxy;
  /** Connects directly, without the proxy. */
  standbyUrl: string;
  stop(): Promise<void>;
  close(): Promise<void>;
};

/** Starts a migrated PostgreSQL and a streaming standby, made from a copy of its folder while it was stopped. */
export async function startStandby(): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), 'officium-standby-'));
  await chmod(folder, 0o755); // as root, the servers run under another account, which must enter the folder
  const [ofPrimary, ofStandby] = [join(folder, 'primary'), join(folder, 'standby')];
  const first = await startEmbedded({ dataDir: ofPrimary, ...quietly });
  await migrate(first.url);
  await prepareJobs(first.url, JOBS);
  await first.stop();
  await cp(ofPrimary, ofStandby, { recursive: true });

  const primary = await startEmbedded({ dataDir: ofPrimary, ...quietly });
  const { username, password, port } = new URL(primary.url);
  const cluster = join(ofStandby, 'postgres');
  const { uid, gid } = await stat(join(ofPrimary, 'postgres'));
  await writeFile(join(cluster, 'standby.signal'), '');
  await chown(join(cluster, 'standby.signal'), uid, gid);
  await appendFile(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password}'\n`,
  );
  const standby: EmbeddedPostgres = await startEmbedded({ dataDir: ofStandby, ...quietly });
  const proxy = await openProxy(standby.url);
  proxy.connectTo(Number(new URL(standby.url).port));
  return {
    primaryUrl: primary.url,
    proxy,
    standbyUrl: standby.url,
    stop: () => standby.stop(),
    async close() {
      await proxy.close();
      await standby.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
