import { spawn } from 'node:child_process';
import { open, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { reasonIn } from './cluster.ts';
import { EmbeddedError, hasCode } from './error.ts';
import { disownPidFile, readPidFile, removeEmptyPidFile } from './pid-file.ts';
import { leaveToOwner } from './place.ts';
import type { ClusterPlace } from './place.ts';
import { createDatabase, freePort, probe } from './probe.ts';
import { isPostmasterOf, run, sleep, surroundings } from './process.ts';

/** A running server that accepts our password and has our database. */
export type Postmaster = { pid: number; port: number };
const defaults = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '128MB',
  max_connections: '100',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Starts, stops and failures of the server itself. Errors of statements reach their sender, and would fill the disk.
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

const pollMs = 25;
const silenceMs = 60_000;
const orphanSilenceMs = 10_000;
const fastStopMs = 60_000;
const immediateStopMs = 15_000;
const oldServerMs = 15_000;
const startTries = 5;
const maxLogBytes = 5_000_000;

export type PostmasterOptions = {
  pickPort?: () => Promise<number>;
  /** PostgreSQL settings that replace the defaults above, by name. */
  settings?: Record<string, string>;
};

/**
 * Takes over the server that a killed product left behind, or starts one. Retries when another program took the port,
 * or while a killed server and its backends still end. Requires the lock.
 */
export async function obtainPostmaster(
  place: ClusterPlace,
  binaries: Binaries,
  password: string,
  { pickPort = freePort, settings = {} }: PostmasterOptions = {},
): Promise<Postmaster & { isAdopted: boolean }> {
  const oldServerDeadline = Date.now() + oldServerMs;
  for (let attempt = 1; ;) {
    const adopted = await adoptPostmaster(place, binaries, password);
    if (adopted) return { ...adopted, isAdopted: true };
    const port = await pickPort();
    const { pid, outcome, output } = await startPostmaster(place, binaries, password, {
      ...defaults,
      ...settings,
      port: String(port),
    });
    if (outcome === 'ready') return { pid, port, isAdopted: false };
    if (outcome !== 'ended') {
      await stopPostmaster(pid, place.cluster, binaries);
      const why = outcome === 'refused' ? `does not accept the password kept in ${place.dataDir}` : 'does not answer';
      throw new EmbeddedError('START_FAILED', `The database ${place.cluster} ${why}`);
    }
    const isOldServerEnding = /shared memory block .* still in use|lock file .* already exists/.test(output);
    if (isOldServerEnding && Date.now() < oldServerDeadline) await sleep(100);
    else if (/could not create any TCP\/IP sockets/.test(output) && attempt < startTries) attempt += 1;
    else throw new EmbeddedError('START_FAILED', `PostgreSQL did not start in ${place.cluster}: ${reasonIn(output)}`);
  }
}

async function adoptPostmaster(
  place: ClusterPlace,
  binaries: Binaries,
  password: string,
): Promise<Postmaster | undefined> {
  await removeEmptyPidFile(place.cluster);
  const found = await readPidFile(place.cluster);
  if (!found) return undefined;
  if (isPostmasterOf(found.pid, place.cluster) === false) {
    await disownPidFile(place.cluster, found);
    return undefined;
  }
  const outcome = await waitUntilReady(found, place.cluster, password, orphanSilenceMs);
  if (outcome === 'ready' && (await probe(found.port, password)).version === binaries.version) return found;
  await stopPostmaster(found.pid, place.cluster, binaries);
  return undefined;
}

type Settings = Record<string, string> & { port: string };

async function startPostmaster(place: ClusterPlace, binaries: Binaries, password: string, settings: Settings) {
  const log = await openLog(place.home);
  const pid = spawnPostmaster(place, binaries, settings, log.fd);
  await log.close();
  if (!pid) return { pid: 0, outcome: 'ended' as const, output: `${binaries.postgres} could not be run` };
  const outcome = await waitUntilReady({ pid, port: Number(settings.port) }, place.cluster, password, silenceMs);
  return { pid, outcome, output: await log.read() };
}

function spawnPostmaster(place: ClusterPlace, binaries: Binaries, settings: Settings, log: number): number | undefined {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(binaries.postgres, ['-D', place.cluster, ...options], {
    ...surroundings(place.account),
    // A session of its own: Ctrl-C on the terminal must reach only the product, which drains first.
    detached: true,
    stdio: ['ignore', log, log],
  });
  child.on('error', () => {}); // Shows as a missing pid.
  child.unref();
  return child.pid;
}

type Outcome = 'ready' | 'ended' | 'refused' | 'stopping' | 'silent';

/**
 * Waits until the server has our database. Crash recovery may take any time, so only silence has a limit. The password
 * is sent only once the server has written its address, after taking the port: another program on that port could
 * otherwise collect it.
 */
async function waitUntilReady(
  server: Postmaster,
  cluster: string,
  password: string,
  limitMs: number,
): Promise<Outcome> {
  let lastHeard = Date.now();
  for (;;) {
    const found = await readPidFile(cluster);
    const isListening = found?.pid === server.pid && found.address !== '';
    const answer = isListening ? (await probe(server.port, password)).answer : 'silent';
    if (!isOurs(server.pid, cluster)) return 'ended';
    if (answer === 'ready' || answer === 'refused' || answer === 'stopping') return answer;
    if (answer === 'no-database') await createDatabase(server.port, password);
    if (answer !== 'silent') lastHeard = Date.now();
    if (Date.now() - lastHeard > limitMs) return 'silent';
    await sleep(pollMs);
  }
}

/**
 * Ends the server: fast (open transactions roll back, all is written), as a last resort immediately, with recovery at
 * the next start.
 */
export async function stopPostmaster(pid: number, cluster: string, binaries: Binaries): Promise<void> {
  for (const [signal, limitMs] of [
    ['SIGINT', fastStopMs],
    ['SIGQUIT', immediateStopMs],
  ] as const) {
    await signalPostmaster(pid, cluster, signal, binaries);
    for (const deadline = Date.now() + limitMs; Date.now() < deadline; await sleep(pollMs)) {
      if (!isOurs(pid, cluster)) return;
    }
  }
  throw new EmbeddedError('START_FAILED', `The database server ${pid} of ${cluster} does not stop`);
}

/** Except on Windows, the signal is sent synchronously, before the promise resolves. */
export async function signalPostmaster(
  pid: number,
  cluster: string,
  signal: 'SIGINT' | 'SIGQUIT',
  binaries: Binaries,
): Promise<void> {
  if (!isOurs(pid, cluster)) return;
  // Windows has no signals; Node would kill the server there.
  if (process.platform === 'win32')
    return void (await run(binaries.pgCtl, ['kill', signal.slice(3), String(pid)], undefined));
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

function isOurs(pid: number, cluster: string): boolean {
  return isPostmasterOf(pid, cluster) !== false;
}

async function openLog(home: string) {
  const path = join(home, 'postgres.log');
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > maxLogBytes) await rename(path, `${path}.old`);
  const before = size > maxLogBytes ? 0 : size;
  const file = await open(path, 'a', 0o600);
  await leaveToOwner(path, home);
  const read = async () => (await readFile(path)).subarray(before).toString();
  return { fd: file.fd, close: () => file.close(), read };
}
