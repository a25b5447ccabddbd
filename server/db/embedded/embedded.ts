import { locateNative, prepareBinaries } from './binaries.ts';
import { prepareCluster, readPassword } from './cluster.ts';
import { hasCode, messageOf } from './error.ts';
import { takeLock } from './lock.ts';
import type { Lock } from './lock.ts';
import { choosePlace, defaultSystemDir } from './place.ts';
import type { ClusterPlace } from './place.ts';
import { readPidFile } from './pid-file.ts';
import { obtainPostmaster, signalPostmaster, stopPostmaster } from './postmaster.ts';
import { probe, urlOf } from './probe.ts';
import { isPostmasterOf, sleep } from './process.ts';

export type EmbeddedPostgres = { url: string; stop(): Promise<void> };

export type EmbeddedOptions = {
  dataDir: string;
  log: (line: string) => void;
  /**
   * The folder for files that an ordinary account must reach when it cannot enter dataDir, as root. Default:
   * /var/lib/officium.
   */
  systemDir?: string;
  /** PostgreSQL settings of a disposable server, by name. */
  settings?: Record<string, string>;
  /** Whether the role of a new cluster is a superuser, as tests and measurements need; the product's is not. */
  isSuperuser?: boolean;
};

const otherStartMs = 60_000;
const watchMs = 1_000;

/**
 * Starts the PostgreSQL of a data folder, creating it the first time, or takes over the server that a killed product
 * left. Throws an EmbeddedError with a one-line message; DATA_DIR_IN_USE at once when another live process uses the
 * folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { systemDir = defaultSystemDir } = options;
  const place = await choosePlace(options.dataDir, systemDir);
  const lock = await takeLock(place.home, place.dataDir);
  try {
    return await startLocked(place, lock, { ...options, systemDir });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startLocked(
  place: ClusterPlace,
  lock: Lock,
  { systemDir, log, settings, isSuperuser }: EmbeddedOptions & { systemDir: string },
): Promise<EmbeddedPostgres> {
  const { account, cluster } = place;
  const copyDir = account ? systemDir : place.home;
  const binaries = await prepareBinaries({ native: locateNative(), account, copyDir });
  const { password } = await prepareCluster(place, binaries, log, isSuperuser);
  const server = await obtainPostmaster(place, binaries, password, { settings });
  const as = account ? ` as ${account.name}` : '';
  log(
    `${server.isAdopted ? 'took over' : 'started'} PostgreSQL ${binaries.version}${as} on 127.0.0.1:${server.port}, database in ${cluster}`,
  );

  let { pid } = server;
  let revival: Promise<void> | undefined;
  const revive = async () => {
    try {
      ({ pid } = await obtainPostmaster(place, binaries, password, { pickPort: async () => server.port, settings }));
      log(`PostgreSQL had ended by itself and was started again on 127.0.0.1:${server.port}`);
    } catch (error) {
      log(`PostgreSQL has ended by itself and does not start again: ${messageOf(error)}`);
    }
    revival = undefined;
  };
  // The server may be killed, for example when memory runs out. Its clients reconnect under the same address.
  const watch = setInterval(() => {
    if (!revival && isPostmasterOf(pid, cluster) === false) revival = revive();
  }, watchMs).unref();

  // A process that is interrupted twice, or fails, does not wait for its server.
  const tellServer = () => void signalPostmaster(pid, cluster, 'SIGINT', binaries);
  process.once('exit', tellServer);

  const stopOnce = async () => {
    clearInterval(watch);
    await revival;
    try {
      await stopPostmaster(pid, cluster, binaries);
    } finally {
      process.off('exit', tellServer);
      await lock.release();
    }
  };
  let stopping: Promise<void> | undefined;
  return { url: urlOf(server.port, password), stop: () => (stopping ??= stopOnce()) };
}

/**
 * For command-line tools: the running product's server, which stop() leaves alone, or one of their own, which stop()
 * ends.
 */
export async function connectOrStartEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const deadline = Date.now() + otherStartMs;
  for (;;) {
    try {
      return await startEmbedded(options);
    } catch (error) {
      if (!hasCode(error, 'DATA_DIR_IN_USE')) throw error;
      const url = await urlOfRunning(options);
      if (url) return { url, stop: async () => {} };
      // The other process is still starting or stopping its server.
      if (Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

async function urlOfRunning(options: EmbeddedOptions): Promise<string | undefined> {
  const place = await choosePlace(options.dataDir, options.systemDir ?? defaultSystemDir);
  const server = await readPidFile(place.cluster);
  const password = await readPassword(place.dataDir);
  if (!server || !password || isPostmasterOf(server.pid, place.cluster) === false) return undefined;
  const { answer } = await probe(server.port, password);
  return answer === 'ready' ? urlOf(server.port, password) : undefined;
}
