import { appendFile, chmod, chown, cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server, Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbedded } from '#server/db/embedded/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { JOBS } from '../app/jobs.ts';
import { prepareJobs } from '../jobs/jobs.ts';

const quietly = { log: () => {}, isSuperuser: true };

/** An address that stays while what is behind it comes and goes. */
export type Way = {
  url: string;
  to(port: number | undefined): void;
  /** Takes connections and says nothing, as a machine that has lost its network. */
  swallow(): void;
  close(): Promise<void>;
};

/** Passes connections of 127.0.0.1 on to a port; refuses them while there is none. */
async function openWay(url: string): Promise<Way> {
  let target: number | undefined;
  let isSwallowing = false;
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket));
  };
  const server: Server = createServer((caller) => {
    keep(caller);
    if (isSwallowing) return void caller.resume();
    if (target === undefined) return void caller.destroy();
    const called = keep(new Socket().connect(target, '127.0.0.1'));
    caller.on('data', (bytes) => !isSwallowing && called.write(bytes)).on('close', () => called.destroy());
    called
      .on('data', (bytes) => !isSwallowing && caller.write(bytes))
      .on('close', () => !isSwallowing && caller.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = new URL(url);
  address.port = String((server.address() as AddressInfo).port); // it listens on TCP
  const cut = () => open.forEach((socket) => socket.destroy());
  return {
    url: address.toString(),
    to(port) {
      target = port;
      isSwallowing = false;
      cut();
    },
    swallow: () => void (isSwallowing = true),
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Standby = {
  primaryUrl: string;
  /** The way to the standby, whose address stays. */
  way: Way;
  /** Past the way. */
  standbyUrl: string;
  stop(): Promise<void>;
  close(): Promise<void>;
};

/** A migrated PostgreSQL of our own and a streaming standby of it: a copy of its folder, made while it was stopped. */
export async function startStandby(): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), 'officium-standby-'));
  await chmod(folder, 0o755); // as root the servers run under another account, which must get in
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
  const way = await openWay(standby.url);
  way.to(Number(new URL(standby.url).port));
  return {
    primaryUrl: primary.url,
    way,
    standbyUrl: standby.url,
    stop: () => standby.stop(),
    async close() {
      await way.close();
      await standby.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
