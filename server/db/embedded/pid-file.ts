import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedError, hasCode, messageOf } from './error.ts';
import { sleep } from './process.ts';

/** The contents of PostgreSQL's postmaster.pid; the address is empty until the server has its port. */
export type PidFile = { pid: number; port: number; address: string; lines: string[] };

// Above every real pid (Linux allows 4 194 304), so no such process exists.
const impossiblePid = 2_147_483_647;

export function parsePidFile(text: string): PidFile | undefined {
  const lines = text.split('\n');
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  return pid > 0 && port > 0 ? { pid, port, address: lines[5] ?? '', lines } : undefined;
}

export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  try {
    return parsePidFile(await readFile(join(cluster, 'postmaster.pid'), 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw new EmbeddedError('NO_ACCESS', `Cannot read ${join(cluster, 'postmaster.pid')}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Makes PostgreSQL treat a postmaster.pid as stale, which it does not when the pid now belongs to another program of
 * the same account or to an uncollected zombie. The file stays: its other lines lead PostgreSQL to backends of the dead
 * server that still hold its shared memory.
 */
export async function disownPidFile(cluster: string, found: PidFile): Promise<void> {
  await writeFile(join(cluster, 'postmaster.pid'), [String(impossiblePid), ...found.lines.slice(1)].join('\n'));
}

// Left by a kill or a power cut just before the write; PostgreSQL then refuses to start. A running server may also be
// writing it.
export async function removeEmptyPidFile(cluster: string): Promise<void> {
  const path = join(cluster, 'postmaster.pid');
  const isEmpty = () =>
    stat(path).then(
      (found) => found.size === 0,
      () => false,
    );
  if (!(await isEmpty())) return;
  await sleep(1_000);
  if (await isEmpty()) await rm(path, { force: true });
}
