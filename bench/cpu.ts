import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

type Stat = { pid: number; parent: number; name: string; ticks: number };

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = text.lastIndexOf(')'); // the process name may contain any character
    const fields = text.slice(end + 2).split(' ');
    return {
      pid,
      parent: Number(fields[1]),
      name: text.slice(text.indexOf('(') + 1, end),
      ticks: Number(fields[11]) + Number(fields[12]),
    };
  } catch {
    return undefined; // the process has ended
  }
}

function allStats(): Stat[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map((pid) => statOf(Number(pid))).filter((stat) => stat !== undefined);
}

/** A process and its descendants, without PostgreSQL (Linux). */
export function processTree(pid: number): number[] {
  const stats = allStats();
  const family = [pid];
  for (const one of family)
    family.push(...stats.filter(({ parent, name }) => parent === one && name !== 'postgres').map((stat) => stat.pid));
  return family;
}

/** All processes of the PostgreSQL server behind this backend; none when it runs on another machine. */
export function databaseProcesses(backend: number): number[] {
  const stats = allStats();
  const postmaster = stats.find(({ pid, name }) => pid === backend && name.startsWith('postgres'))?.parent;
  if (postmaster === undefined) return [];
  return [postmaster, ...stats.filter(({ parent }) => parent === postmaster).map(({ pid }) => pid)];
}

/** CPU seconds each process has used, user and kernel mode. */
export function cpuOf(pids: number[]): Map<number, number> {
  return new Map(pids.map((pid) => [pid, (statOf(pid)?.ticks ?? 0) / TICKS_PER_SECOND]));
}

/** CPU seconds used since `before`. New processes count in full. */
export function cpuSince(before: Map<number, number>, pids: number[]): number {
  return [...cpuOf(pids)].reduce((sum, [pid, seconds]) => sum + Math.max(0, seconds - (before.get(pid) ?? 0)), 0);
}

/** Total resident memory of the processes, in MB. */
export function residentMb(pids: number[]): number {
  const kb = pids.map((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  });
  return kb.reduce((sum, one) => sum + one, 0) / 1024;
}
