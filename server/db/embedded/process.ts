import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { messageOf } from './error.ts';
import type { Account } from './place.ts';

const hasProc = existsSync('/proc/self/stat');

/**
 * The state letter and start time of a process from /proc/<pid>/stat; the name in brackets may itself contain brackets.
 */
export function parseStat(text: string): { state: string; startTicks: string } {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', startTicks: fields[19] ?? '' };
}

/** Distinguishes a process from a later one with the same pid; 'unknown' where the system does not tell. */
export function startOf(pid: number): string {
  try {
    if (!hasProc)
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
        .trim()
        .replaceAll(/\W+/g, '_');
    // Ticks count from boot, so they could repeat without the boot id.
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
    return `${boot}_${parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8')).startTicks}`;
  } catch {
    return 'unknown';
  }
}

/** True while the process runs. A zombie has ended: a container without an init never collects it. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another account.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  if (!hasProc) return true;
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8')).state !== 'Z';
  } catch {
    return true; // hidepid: /proc hides the processes of others.
  }
}

export function isSameProcess(pid: number, start: string): boolean {
  if (!isRunning(pid)) return false;
  const now = startOf(pid);
  return now === start || now === 'unknown' || start === 'unknown';
}

/** Whether the process is the postmaster of this cluster; undefined where the system does not tell (Windows). */
export function isPostmasterOf(pid: number, cluster: string): boolean | undefined {
  if (!isRunning(pid)) return false;
  try {
    if (hasProc) {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      const isPostgres = /(^|\/)postgres$/.test(command[0] ?? '');
      return isPostgres && (command.includes(cluster) || folderOf(pid) === cluster);
    }
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(
      `postgres -D ${cluster} `,
    );
  } catch {
    return isRunning(pid) ? undefined : false;
  }
}

// The postmaster's working folder is its cluster, so it identifies the cluster even after a rename.
function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/**
 * The environment of a server process: nothing of ours reaches it (secrets, PG* variables, a folder it may not enter).
 */
export function surroundings(account: Account | undefined) {
  // Windows programs need SystemRoot and similar variables.
  const env =
    process.platform === 'win32' ? { ...process.env, LC_ALL: 'C' } : { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };
  return { cwd: '/', env, ...(account && { uid: account.uid, gid: account.gid }) };
}

/** Runs a program to its end; code -1 when it could not be run at all. */
export function run(
  command: string,
  args: string[],
  account: Account | undefined,
  input = '',
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const add = (chunk: Buffer) => {
      output += chunk.toString();
    };
    try {
      const child = spawn(command, args, { ...surroundings(account), stdio: 'pipe' });
      child.stdout.on('data', add);
      child.stderr.on('data', add);
      child.on('error', (error) => resolve({ code: -1, output: error.message }));
      child.stdin.on('error', () => {}); // it ended without reading, and reports why
      child.stdin.end(input);
      child.on('close', (code) => resolve({ code: code ?? 1, output }));
    } catch (error) {
      resolve({ code: -1, output: messageOf(error) });
    }
  });
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
