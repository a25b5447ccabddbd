import { randomBytes } from 'node:crypto';
import { chmod, chown, lchown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { EmbeddedError, hasCode, messageOf } from './error.ts';
import { passwordFile, pointerFile } from './place.ts';
import type { Account, ClusterPlace } from './place.ts';
import { run } from './process.ts';

/** The product's role. It owns its database; in clusters of earlier releases it is a superuser too. */
export const role = 'officium';
export const database = 'officium';
const superuser = 'postgres';
const unfinished = /^postgres\.init-\w+$/;

/** Creates the cluster if there is none, else checks that these binaries can serve it. Requires the lock. */
export async function prepareCluster(
  place: ClusterPlace,
  binaries: Binaries,
  log: (line: string) => void,
  isSuperuser = false,
): Promise<{ password: string }> {
  await removeUnfinished(place.home);
  const made = await versionOf(place.cluster);
  const known = await readPassword(place.dataDir);
  if (made === undefined) {
    const password = known ?? (await makePassword(place.dataDir));
    log(`making a new PostgreSQL ${binaries.version} database in ${place.cluster}`);
    await initialise(place, binaries, { password, isSuperuser });
    await notePlace(place);
    return { password };
  }
  const [major] = binaries.version.split('.');
  if (made !== major) {
    throw new EmbeddedError(
      'OTHER_MAJOR_VERSION',
      `The database ${place.cluster} was made by PostgreSQL ${made} and this release brings ${major}: export it with the release that made it, then import into a new data folder`,
    );
  }
  if (!known)
    throw new EmbeddedError(
      'DATA_MISSING',
      `The file ${join(place.dataDir, passwordFile)} is missing, without which the database cannot be opened: bring it back`,
    );
  if (place.account) await handOver(place.cluster, place.account);
  await notePlace(place);
  return { password: known };
}

export async function readPassword(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dataDir, passwordFile), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new EmbeddedError('NO_ACCESS', `Cannot read ${join(dataDir, passwordFile)}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function makePassword(dataDir: string): Promise<string> {
  const password = randomBytes(32).toString('hex');
  await writeDurably(join(dataDir, passwordFile), `${password}\n`, 0o600);
  return password;
}

type Role = { password: string; isSuperuser: boolean };

/**
 * Creates the cluster, its role and its database in a temporary folder and renames the result, so that a cluster under
 * its final name is complete even after a kill.
 */
async function initialise(place: ClusterPlace, binaries: Binaries, given: Role): Promise<void> {
  const workshop = join(place.home, `postgres.init-${randomBytes(6).toString('hex')}`);
  const cluster = join(workshop, 'data');
  const passwordFile = join(workshop, 'password');
  try {
    await mkdir(workshop, { mode: 0o700 });
    // initdb requires a password for the superuser; nobody stores it.
    await writeFile(passwordFile, randomBytes(32).toString('hex'), { mode: 0o600 });
    if (place.account) await giveTo(workshop, place.account);
    await runInitdb(place, binaries, { cluster, passwordFile });
    await makeRole(place, binaries, { ...given, cluster });
    await rename(cluster, place.cluster);
    await syncFolder(place.home);
  } catch (error) {
    if (error instanceof EmbeddedError) throw error;
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) {
      throw new EmbeddedError(
        'START_FAILED',
        `${place.cluster} exists and is not a PostgreSQL database: move it away`,
        { cause: error },
      );
    }
    throw new EmbeddedError('NO_WRITABLE_PLACE', `Cannot make a database in ${place.home}: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
}

/**
 * Locales that classify letters of every script, and the one every system has. Trigrams, which find names and misspelt
 * titles, consist of letters; under the last locale only of ASCII letters.
 */
const LETTERS = ['C.UTF-8', 'en_US.UTF-8', 'C'];

async function runInitdb(
  place: ClusterPlace,
  binaries: Binaries,
  files: { cluster: string; passwordFile: string },
): Promise<void> {
  let reason = '';
  for (const letters of LETTERS) {
    const { code, output } = await run(binaries.initdb, initdbArguments(files, letters), place.account);
    if (code === 0) return;
    reason = reasonIn(output);
    if (!/invalid locale name/.test(reason)) break;
  }
  throw new EmbeddedError('START_FAILED', `initdb failed in ${place.home}: ${reason}`);
}

/**
 * Creates the role and its database without a server. The superuser cannot sign in afterwards, so that injected SQL can
 * read no file and run no program.
 */
async function makeRole(
  { account }: ClusterPlace,
  { postgres }: Binaries,
  { cluster, password, isSuperuser }: Role & { cluster: string },
): Promise<void> {
  const statements = [
    `create role ${role} login ${isSuperuser ? 'superuser' : ''} password '${password}'`,
    `create database ${database} owner ${role}`,
    `alter role ${superuser} nologin password null`,
  ];
  const args = ['--single', '-D', cluster, '-c', 'exit_on_error=on', 'postgres'];
  const { code, output } = await run(postgres, args, account, statements.join('\n') + '\n');
  if (code !== 0) throw new EmbeddedError('START_FAILED', `PostgreSQL made no role in ${cluster}: ${reasonIn(output)}`);
}

function initdbArguments(
  { cluster, passwordFile }: { cluster: string; passwordFile: string },
  letters: string,
): string[] {
  return [
    `--pgdata=${cluster}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The builtin provider sorts equally on every system and never changes with libraries, which would corrupt indexes.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    `--lc-ctype=${letters}`,
    '--data-checksums',
  ];
}

/** The line of a PostgreSQL program's output that names the error. */
export function reasonIn(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.findLast((line) => /(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1) ?? 'no output';
}

async function versionOf(cluster: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw new EmbeddedError('NO_ACCESS', `Cannot read the database ${cluster}: ${messageOf(error)}`, { cause: error });
  }
}

// The initdb of a killed product may still write while we delete: the next start tries again.
async function removeUnfinished(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (unfinished.test(name))
      await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
  }
}

// After the cluster is complete, because the note promises data at that location.
async function notePlace(place: ClusterPlace): Promise<void> {
  if (place.home === place.dataDir) return;
  await writeDurably(join(place.dataDir, pointerFile), `${place.home}\n`, 0o644);
  await writeDurably(join(place.home, 'belongs-to'), `${place.dataDir}\n`, 0o644);
}

// A folder restored by root belongs to root or is open to others; PostgreSQL refuses both.
async function handOver(cluster: string, account: Account): Promise<void> {
  const { uid, mode } = await stat(cluster);
  if (uid !== account.uid) await giveTo(cluster, account);
  if (mode & 0o027) await chmod(cluster, 0o700);
}

async function giveTo(folder: string, account: Account): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await giveTo(path, account);
    else await lchown(path, account.uid, account.gid);
  }
  // Last, so that the next start detects and finishes an interrupted hand-over.
  await chown(folder, account.uid, account.gid);
}

async function writeDurably(path: string, text: string, mode: number): Promise<void> {
  const temp = `${path}.new`;
  await rm(temp, { force: true });
  await writeFile(temp, text, { mode, flag: 'wx', flush: true });
  await rename(temp, path);
  await syncFolder(dirname(path));
}

async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open folders.
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
