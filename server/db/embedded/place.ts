import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { access, chmod, chown, constants, mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { EmbeddedError, hasCode, messageOf } from './error.ts';

export type Account = { name: string; uid: number; gid: number };

/** The location of a data folder's database. `account` is undefined when the server runs under our own account. */
export type ClusterPlace = { dataDir: string; home: string; cluster: string; account: Account | undefined };

type Ownership = Pick<Stats, 'mode' | 'uid' | 'gid'>;

export const defaultSystemDir = '/var/lib/officium';
export const pointerFile = 'postgres.place';
export const passwordFile = 'postgres.password';
const preferredAccounts = ['postgres', 'nobody'];

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function parsePasswd(text: string): Account[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid && !line.startsWith('#') ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/**
 * The account for a server started by root, which PostgreSQL refuses to be. It must resolve, or initdb refuses as well.
 */
export function pickAccount(accounts: Account[]): Account {
  for (const name of preferredAccounts) {
    const found = accounts.find((account) => account.name === name && account.uid > 0);
    if (found) return found;
  }
  throw new EmbeddedError(
    'NO_ACCOUNT',
    'PostgreSQL does not run as root and /etc/passwd has neither postgres nor nobody: start as an ordinary user, or add the account postgres',
  );
}

/** Whether the account has these permission bits (4 read, 1 enter or run). Access lists are ignored. */
export function permits(of: Ownership, account: Account, bits: number): boolean {
  const shift = of.uid === account.uid ? 6 : of.gid === account.gid ? 3 : 0;
  return ((of.mode >> shift) & bits) === bits;
}

/** Whether the account can enter this folder and all its parents. */
export async function canReach(folder: string, account: Account): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if (!permits(await stat(at), account, 1)) return false;
    if (at === dirname(at)) return true;
  }
}

/** Finds, or for a new data folder chooses, the location of its database. Only creates missing folders. */
export async function choosePlace(dataDir: string, systemDir: string): Promise<ClusterPlace> {
  const folder = await makeFolder(resolve(dataDir));
  const local = { dataDir: folder, home: folder, cluster: join(folder, 'postgres') };
  const pointer = await readPointer(folder);
  if (!isRoot()) return { ...local, account: await ourselves(local.cluster, pointer) };

  if (pointer) {
    const cluster = join(pointer, 'postgres');
    return { dataDir: folder, home: pointer, cluster, account: await accountFor(cluster, pointer) };
  }
  const account = await accountFor(local.cluster, undefined);
  if (await canReach(folder, account)) return { ...local, account };
  if (await ownershipOf(join(local.cluster, 'PG_VERSION'))) {
    throw new EmbeddedError(
      'NO_ACCESS',
      `The account ${account.name} that runs the database cannot enter ${folder}: allow it to (chmod o+x on the folder and those above it)`,
    );
  }
  const home = await makeSystemHome(systemDir, folder, account);
  const cluster = join(home, 'postgres');
  return { dataDir: folder, home, cluster, account: (await ownerOf(cluster)) ?? account };
}

async function ourselves(cluster: string, pointer: string | undefined): Promise<undefined> {
  if (pointer)
    throw new EmbeddedError(
      'NO_ACCESS',
      `The database of this data folder was made by root in ${pointer}: start as root`,
    );
  const owner = await ownershipOf(cluster);
  if (owner && process.getuid && owner.uid !== process.getuid()) {
    throw new EmbeddedError(
      'NO_ACCESS',
      `The database ${cluster} belongs to the user id ${owner.uid}: start as that user or as root`,
    );
  }
  if (owner) return undefined;
  try {
    userInfo();
  } catch (error) {
    // For example a container under a bare number.
    throw new EmbeddedError(
      'NO_ACCOUNT',
      `The user id ${process.getuid?.()} has no account on this system, and PostgreSQL needs one: add it to /etc/passwd`,
      { cause: error },
    );
  }
  return undefined;
}

async function accountFor(cluster: string, pointer: string | undefined): Promise<Account> {
  const owner = await ownerOf(cluster);
  if (owner) return owner;
  if (pointer && !(await ownershipOf(cluster))) {
    // An empty database would look like the loss of everything.
    throw new EmbeddedError(
      'DATA_MISSING',
      `The database of this data folder should be in ${cluster}, and is not there: bring it back, or remove the file ${pointerFile} to start empty`,
    );
  }
  return pickAccount(await readAccounts());
}

/**
 * An existing cluster runs under its owner, as PostgreSQL requires; one owned by root (a restored copy) is handed over
 * later.
 */
async function ownerOf(cluster: string): Promise<Account | undefined> {
  const owner = await ownershipOf(cluster);
  if (!owner || owner.uid === 0) return undefined;
  const known = (await readAccounts()).find((account) => account.uid === owner.uid);
  return { name: known?.name ?? String(owner.uid), uid: owner.uid, gid: known?.gid ?? owner.gid };
}

async function ownershipOf(path: string): Promise<Ownership | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new EmbeddedError('NO_ACCESS', `Cannot look at ${path}: ${messageOf(error)}`, { cause: error });
  }
}

async function readAccounts(): Promise<Account[]> {
  return parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => ''));
}

async function readPointer(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(join(dataDir, pointerFile), 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new EmbeddedError('NO_ACCESS', `Cannot read ${join(dataDir, pointerFile)}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
    return await realpath(folder);
  } catch (error) {
    throw new EmbeddedError('NO_WRITABLE_PLACE', `Cannot write to the data folder ${folder}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function makeSystemHome(systemDir: string, dataDir: string, account: Account): Promise<string> {
  const why = `the account ${account.name} that runs the database cannot enter ${dataDir}`;
  try {
    const home = await lastHome(systemDir, dataDir);
    await makeOpenFolder(systemDir);
    await makeOpenFolder(home);
    if (await canReach(await realpath(home), account)) return await realpath(home);
  } catch (error) {
    throw new EmbeddedError(
      'NO_WRITABLE_PLACE',
      `No writable place for the database: ${why}, and ${systemDir} fails: ${messageOf(error)}`,
      { cause: error },
    );
  }
  throw new EmbeddedError('NO_WRITABLE_PLACE', `No place for the database: ${why}, nor ${systemDir}`);
}

/**
 * The last folder created for the path of this data folder, or the next one when that holds a database without a
 * password here: it belongs to a data folder that was moved or removed, and is left alone.
 */
async function lastHome(systemDir: string, dataDir: string): Promise<string> {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const home = (nth: number) => join(systemDir, nth === 1 ? name : `${name}-${nth}`);
  let nth = 1;
  while (await ownershipOf(home(nth + 1))) nth += 1;
  const hasDatabase = await ownershipOf(join(home(nth), 'postgres', 'PG_VERSION'));
  // Checked last: another start that created it meanwhile wrote the password first.
  const isOurs = await ownershipOf(join(dataDir, passwordFile));
  return home(hasDatabase && !isOurs ? nth + 1 : nth);
}

/** A folder others may enter whatever the umask; an existing one keeps its mode. */
export async function makeOpenFolder(folder: string): Promise<void> {
  if (await mkdir(folder, { recursive: true })) await chmod(folder, 0o755);
}

/**
 * Files that root creates in a user's folder become the user's, so that one command run by root does not lock them out.
 */
export async function leaveToOwner(path: string, folder: string): Promise<void> {
  if (!isRoot()) return;
  const { uid, gid } = await stat(folder);
  await chown(path, uid, gid);
}
