import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

type Stat = { parent: number; ticks: number; ticksOfEnded: number };

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // the name before may hold anything
    return {
      parent: Number(fields[1]),
      ticks: Number(fields[11]) + Number(fields[12]),
      ticksOfEnded: Number(fields[13]) + Number(fields[14]),
    };
  } catch {
    return undefined; // it has ended
  }
}

/** CPU seconds a process has used, in user and kernel mode (Linux). */
export function cpuSeconds(pid: number): number {
  return (statOf(pid)?.ticks ?? 0) / TICKS_PER_SECOND;
}

/** CPU seconds of a process and its children, living and ended: a postmaster with its backends. */
export function familyCpuSeconds(pid: number): number {
  const others = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const children = others.map(statOf).filter((stat) => stat?.parent === pid);
  const ticks = children.reduce((sum, stat) => sum + (stat?.ticks ?? 0), statOf(pid)?.ticksOfEnded ?? 0);
  return cpuSeconds(pid) + ticks / TICKS_PER_SECOND;
}
