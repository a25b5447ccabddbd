import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';

export const VERSION = '0.1.0';

/** Written when the pages are built. */
const STAMP = fileURLToPath(new URL('../web/build/stamp', import.meta.url));

/** When the served pages were built; undefined where they are built on request. */
export async function builtAt(): Promise<Date | undefined> {
  return (await stat(STAMP).catch(() => undefined))?.mtime;
}

export const LISTENER = 'officium-listen';

/** The database application name of the process's listening connection. At most 63 bytes. */
export function listenerName(role: string): string {
  return `${LISTENER} ${role} ${process.pid} ${hostname().slice(0, 30)}`;
}

/** Parses such a name. */
export function readListenerName(name: string): { role: string; pid: number | null; host: string | null } {
  const [, role = 'all', pid, host] = name.split(' ');
  return { role, pid: pid ? Number(pid) : null, host: host ?? null };
}
