import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedError, hasCode } from './error.ts';
import { leaveToOwner } from './place.ts';
import { isSameProcess, sleep, startOf } from './process.ts';

export type Lock = { release(): Promise<void> };

type Entry = { file: string; owner: string; pid: number; start: string; isHeld: boolean };

const waitForRivalsMs = 5_000;

/**
 * Parses `<pid>.<start>.claim` or `.held`. The name alone carries the data, so an entry is complete as soon as it
 * exists.
 */
export function parseEntry(file: string): Entry | undefined {
  const match = /^((\d+)\.(\w+))\.(claim|held)$/.exec(file);
  if (!match) return undefined;
  const [, owner = '', pid = '', start = '', kind] = match;
  return { file, owner, pid: Number(pid), start, isHeld: kind === 'held' };
}

/**
 * Takes the folder for this process or throws DATA_DIR_IN_USE at once. A single stale lock file cannot be replaced
 * safely: of two processes that judge it stale, the slower one removes the faster one's fresh lock. So each process
 * claims with a file of its own name, then looks for others: of two concurrent claims at least one sees the other, and
 * the earlier name wins. Entries of ended processes are never reused; any process may remove them.
 */
export async function takeLock(home: string, dataDir: string): Promise<Lock> {
  const folder = await lockFolder(home);
  const self = `${process.pid}.${startOf(process.pid)}`;
  const claim = join(folder, `${self}.claim`);
  const held = join(folder, `${self}.held`);
  // The held file is removed last: a claim alone would make a newcomer wait.
  const release = async () => {
    await rm(claim, { force: true });
    await rm(held, { force: true });
  };
  try {
    await createNew(claim);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw inUse(dataDir, process.pid);
    throw error;
  }
  try {
    await waitForTurn(folder, self, dataDir);
    await createNew(held);
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

async function waitForTurn(folder: string, self: string, dataDir: string): Promise<void> {
  const deadline = Date.now() + waitForRivalsMs;
  for (;;) {
    const rivals = await liveRivals(folder, self);
    const [first] = rivals;
    if (!first) return;
    const winner = rivals.find((rival) => rival.isHeld) ?? rivals.find((rival) => rival.owner < self);
    if (winner) throw inUse(dataDir, winner.pid);
    if (Date.now() > deadline) throw inUse(dataDir, first.pid);
    await sleep(10);
  }
}

async function liveRivals(folder: string, self: string): Promise<Entry[]> {
  const rivals: Entry[] = [];
  for (const file of await readdir(folder)) {
    const entry = parseEntry(file);
    if (!entry || entry.owner === self) continue;
    if (isSameProcess(entry.pid, entry.start)) rivals.push(entry);
    else await rm(join(folder, file), { force: true });
  }
  return rivals;
}

async function lockFolder(home: string): Promise<string> {
  const folder = join(home, 'lock');
  await mkdir(folder, { recursive: true });
  await leaveToOwner(folder, home);
  return folder;
}

async function createNew(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  await file.close();
}

function inUse(dataDir: string, pid: number): EmbeddedError {
  return new EmbeddedError('DATA_DIR_IN_USE', `The data folder ${dataDir} is in use by the process ${pid}`);
}
